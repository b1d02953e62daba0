import { type Channel, channelStatuses } from '@tollgate/api'
import { responseMs } from './channel-state.ts'

/** The channels that share a tag, as one row. */
export interface TagRow {
  /** Negative, so that it is never the id of a channel. */
  readonly id: number
  readonly tag: string
  readonly channels: readonly Channel[]
  readonly open: boolean
}

export type ChannelRow = Channel | TagRow

export function isTagRow(row: ChannelRow): row is TagRow {
  return 'channels' in row
}

/** A page by tag: each tag with its channels under it where it is open, then the channels without one, in their order. */
export function rowsByTag(
  channels: readonly Channel[],
  isOpen: (tag: string) => boolean,
): readonly ChannelRow[] {
  const tags = new Map<string, Channel[]>()
  for (const channel of channels) {
    if (channel.tag === '') continue
    const known = tags.get(channel.tag)
    if (known) known.push(channel)
    else tags.set(channel.tag, [channel])
  }
  const tagged = [...tags].flatMap(([tag, members]): readonly ChannelRow[] => {
    const open = isOpen(tag)
    const row: TagRow = { id: -(members[0]?.id ?? 0), tag, channels: members, open }
    return open ? [row, ...members] : [row]
  })
  return [...tagged, ...channels.filter(({ tag }) => tag === '')]
}

/** Counts the rows of a page by tag: each tag once, and each channel without one. */
export function rowCountOf(channels: readonly Channel[]): number {
  const untagged = channels.filter(({ tag }) => tag === '').length
  return new Set(channels.map(({ tag }) => tag).filter((tag) => tag !== '')).size + untagged
}

/** Sums up the channels of a tag for its row. */
export function summaryOf(channels: readonly Channel[]) {
  const timed = channels.map(responseMs).filter((ms) => ms > 0)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    enabled: channels.filter(({ status }) => status === channelStatuses.enabled).length,
    used: sum(channels.map(({ used_quota }) => used_quota)),
    /** Mean in ms of those that were called or tested; 0 when none was. */
    response: timed.length === 0 ? 0 : Math.round(sum(timed) / timed.length),
    priority: agreed(channels.map(({ priority }) => priority)),
    weight: agreed(channels.map(({ weight }) => weight)),
  }
}

/** The value that all have; `undefined` when they differ. */
function agreed(values: readonly number[]): number | undefined {
  const [first] = values
  return values.every((value) => value === first) ? first : undefined
}
