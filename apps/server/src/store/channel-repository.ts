import type { Channel, ChannelOutcome, ChannelSummary } from './entities.ts'

export type NewChannel = Omit<
  Channel,
  | 'id'
  | 'usedQuota'
  | 'balance'
  | 'balanceUpdatedAt'
  | 'responseTimeMs'
  | 'testedAt'
  | 'statusReason'
  | 'keyStates'
>
export type ChannelChange = Partial<Omit<Channel, 'id' | 'usedQuota' | 'createdAt'>>

const inSummary: ReadonlySet<string> = new Set<keyof ChannelChange>([
  'name',
  'status',
  'statusReason',
  'keyStates',
  'groups',
  'priority',
  'weight',
  'tag',
])

/** Whether a change is seen in a channel's summary, and routing needs nothing else of it. */
export function isInSummary(change: ChannelChange): boolean {
  return Object.keys(change).every((field) => inSummary.has(field))
}

export interface SummaryFilter {
  readonly ids?: readonly number[]
  readonly tag?: string
}

export interface ChannelRepository {
  create(channel: NewChannel): Promise<Channel>
  /** In the order given, all or none. */
  createMany(channels: readonly NewChannel[]): Promise<Channel[]>
  find(id: number): Promise<Channel | undefined>
  /** Every channel, for the routing snapshot; in the order of ids. */
  listAll(): Promise<Channel[]>
  /** Those of these ids that there are, in the order of ids. */
  listByIds(ids: readonly number[]): Promise<Channel[]>
  listByTag(tag: string): Promise<Channel[]>
  /** Channels without their long texts, in the order of ids: all of them, or those that match. One read. */
  listSummaries(only?: SummaryFilter): Promise<ChannelSummary[]>
  update(id: number, change: ChannelChange): Promise<Channel | undefined>
  /** The same change for all of them. */
  updateMany(ids: readonly number[], change: ChannelChange): Promise<void>
  delete(id: number): Promise<boolean>
  /** Returns the ids of those that there were. */
  deleteMany(ids: readonly number[]): Promise<number[]>
  /**
   * Gives every channel the account that it must have, with what its charges say; removes accounts and outcomes of
   * channels that are gone. Returns how many rows it repaired.
   */
  repair(): Promise<number>
}

/** Written now and then, from memory; see channels/health. */
export interface ChannelOutcomeRepository {
  listAll(): Promise<ChannelOutcome[]>
  /** Replaces those of the same channels. */
  save(outcomes: readonly ChannelOutcome[]): Promise<void>
}
