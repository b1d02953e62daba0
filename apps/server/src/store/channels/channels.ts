import { channelRecord, channelResource, listedNames } from '@tollgate/api'
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { idsOf } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import {
  defineTable,
  type EntityOf,
  flag,
  integer,
  json,
  type RowOf,
  text,
  withDefault,
} from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'
import { rowsOfChannels } from './channel-references.ts'

export type ReasonParams = Readonly<Record<string, string | number>>

/** State of one key of a channel, by its place in the key list. Only keys that are not plainly enabled have one. */
export interface ChannelKeyState {
  readonly index: number
  /** `disabled`: by a person, who alone may enable it again. */
  readonly status: 'auto-disabled' | 'disabled'
  /** Reason in English; `code` with `params` is the same for other languages. */
  readonly reason: string
  readonly at: Seconds
  readonly code?: string
  readonly params?: ReasonParams
}

/** Reason and time of the gateway's last change to the status of a channel. */
export type StatusReason = Omit<ChannelKeyState, 'index' | 'status'>

/** Reason of a test's failure, as a code with parameters. */
export interface TestFailure {
  readonly code: string
  readonly params: ReasonParams
}

export const channelTable = defineTable('channels', {
  ...columnsOf(channelRecord.omit({ usedQuota: true })),
  /** All keys, one per line, sealed as one text. */
  keysSealed: text(),
  keyStates: json<readonly ChannelKeyState[]>(),
  /** Set by a super admin: may point to private addresses. Others pass the outbound guard. */
  baseUrlTrusted: flag(),
  /** Reason of the last test's failure; `null` when it passed, or there was none. */
  testFailure: withDefault(json<TestFailure | null>()),
  /** `null` when the gateway never changed the status. */
  statusReason: json<StatusReason | null>(),
})

/** The counters of a channel, in a narrow table: a row that is written is a page that is written. */
export const channelAccountTable = defineTable('channel_accounts', {
  id: integer(),
  usedQuota: withDefault(integer()),
})

const channels = channelTable.join(channelAccountTable)
export type Channel = EntityOf<typeof channels>

export type NewChannel = Omit<
  Channel,
  | 'id'
  | 'usedQuota'
  | 'balance'
  | 'balanceUpdatedAt'
  | 'responseTimeMs'
  | 'testedAt'
  | 'testFailure'
  | 'statusReason'
  | 'keyStates'
>
export type ChannelChange = Partial<Omit<Channel, 'id' | 'usedQuota' | 'createdAt'>>

/** Fields that lists sort or filter by are in a summary. The type has those that code names. */
const listed = listedNames(channelResource) as readonly never[]

const summaries = channels.pick([
  'id',
  'type',
  'name',
  'status',
  'keyCount',
  'keyStates',
  'statusReason',
  'groups',
  'priority',
  'weight',
  'tag',
  'usedQuota',
  'balance',
  'responseTimeMs',
  ...listed,
])
/** The sortable and filterable fields of a channel, without its long texts. */
export type ChannelSummary = EntityOf<typeof summaries>

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

/** Recognises a change of the summary alone, for which routing needs no other field. */
export function isInSummary(change: ChannelChange): boolean {
  return Object.keys(change).every((field) => inSummary.has(field))
}

/** Filter of the summaries to read. */
export interface SummaryFilter {
  readonly ids?: readonly number[]
  readonly tag?: string
}

/** Parameters of one statement are limited; a channel has some thirty. */
const rowsPerInsert = 500

/** Fields of a new channel, before any outcome. */
export const unknownYet = {
  keyStates: [],
  balance: 0,
  balanceUpdatedAt: 0,
  responseTimeMs: 0,
  testedAt: 0,
  testFailure: null,
  statusReason: null,
} satisfies Partial<Channel>

/** The configured connections to upstreams. */
export function createChannelRepository(connection: Connection) {
  const { db, dialect, transaction } = connection
  const joined = () =>
    db.selectFrom('channels').innerJoin('channel_accounts', 'channel_accounts.id', 'channels.id')
  const all = () => joined().selectAll()
  const oneOf = (ids: readonly number[]) => dialect.isOneOf('channels.id', ids)

  async function find(id: number): Promise<Channel | undefined> {
    return await channels.first(all().where('channels.id', '=', id))
  }

  async function deleteMany(ids: readonly number[]): Promise<number[]> {
    return await transaction(async ({ db: tx }) => {
      for (const { table, column } of rowsOfChannels)
        await sql`delete from ${sql.table(table)} where ${dialect.isOneOf(column, ids)}`.execute(tx)
      const gone = await tx.deleteFrom('channels').where(dialect.isOneOf('id', ids)).returning('id').execute()
      return gone.map(({ id }) => id)
    })
  }

  async function createMany(added: readonly NewChannel[]): Promise<Channel[]> {
    return await transaction(async (tx) => {
      const created: Channel[] = []
      for (let start = 0; start < added.length; start += rowsPerInsert)
        created.push(...(await insert(added.slice(start, start + rowsPerInsert), tx)))
      return created
    })
  }

  return {
    async create(channel: NewChannel): Promise<Channel> {
      const [created] = await createMany([channel])
      if (created === undefined) throw new Error('a channel was inserted and is not there')
      return created
    },
    /** Creates channels in the given order, all or none. */
    createMany,
    find,
    /** Every channel, for the routing snapshot; in the order of ids. */
    async listAll(): Promise<Channel[]> {
      return await channels.all(all().orderBy('channels.id'))
    },
    /** The existing channels of these ids, in the order of ids. */
    async listByIds(ids: readonly number[]): Promise<Channel[]> {
      return await channels.all(all().where(oneOf(ids)).orderBy('channels.id'))
    },
    async listByTag(tag: string): Promise<Channel[]> {
      return await channels.all(all().where('tag', '=', storableText(tag)).orderBy('channels.id'))
    },
    /** Channels without their long texts, in the order of ids: all of them, or those that match. One read. */
    async listSummaries({ ids, tag }: SummaryFilter = {}): Promise<ChannelSummary[]> {
      let found = joined()
        .select(['channels.id', ...summaries.columnNames.filter((name) => name !== 'id')])
        .orderBy('channels.id')
      if (ids !== undefined) found = found.where(oneOf(ids))
      if (tag !== undefined) found = found.where('tag', '=', storableText(tag))
      return await summaries.all(found)
    },
    /**
     * Locks channels against other changes until the transaction ends, by their ids, so that two who lock several never wait for
     * each other. Returns the ids of those that are there: read them afterwards, as they are now.
     */
    async lock({ ids, tag }: SummaryFilter): Promise<number[]> {
      let matching = db.selectFrom('channels').select('id').orderBy('id')
      if (ids !== undefined) matching = matching.where(oneOf(ids))
      if (tag !== undefined) matching = matching.where('tag', '=', storableText(tag))
      const take = () => idsOf(matching.modifyEnd(sql.raw(dialect.lockRow)))
      let locked = await take()
      // Who had the lock before may have added another one with the tag.
      while (ids === undefined) {
        const known = locked.length
        locked = await take()
        if (locked.length === known) break
      }
      return locked
    },
    async update(id: number, change: ChannelChange): Promise<Channel | undefined> {
      const row = channelTable.change(change)
      if (Object.keys(row).length > 0)
        await db.updateTable('channels').set(row).where('id', '=', id).execute()
      return await find(id)
    },
    /**
     * Changes a channel by what it is while nobody else can change it: of two nodes that see the same failure, the second sees
     * what the first has made of it.
     */
    decide: <Decision extends { readonly change: ChannelChange }>(
      id: number,
      decide: (channel: Channel) => Decision | undefined,
    ): Promise<{ readonly decision: Decision; readonly changed: Channel | undefined } | undefined> =>
      transaction(async (joined) => {
        const repository = createChannelRepository(joined)
        await repository.lock({ ids: [id] })
        const channel = await repository.find(id)
        const decision = channel && decide(channel)
        return decision && { decision, changed: await repository.update(id, decision.change) }
      }),
    /** The same change for all of them. */
    async updateMany(ids: readonly number[], change: ChannelChange): Promise<void> {
      const row = channelTable.change(change)
      if (Object.keys(row).length > 0)
        await db.updateTable('channels').set(row).where(dialect.isOneOf('id', ids)).execute()
    },
    delete: async (id: number): Promise<boolean> => (await deleteMany([id])).length > 0,
    /** Returns the ids that existed. */
    deleteMany,
    /**
     * Creates the missing accounts of channels from their charges; removes what deleted channels left, as those do that a program of
     * before deleted, which knows fewer tables.
     * Returns how many rows it repaired.
     */
    repair: (): Promise<number> => transaction(repairAccounts),
  }
}

async function insert(added: readonly NewChannel[], { db }: Connection): Promise<Channel[]> {
  const rows = added.map((channel) => channelTable.insertion({ ...channel, ...unknownYet }))
  const created = await db.insertInto('channels').values(rows).returningAll().execute()
  const accounts = created.map(({ id }) => ({ id }))
  await db.insertInto('channel_accounts').values(accounts).execute()
  return created.toSorted((a, b) => a.id - b.id).map((row) => channels.read({ ...row, used_quota: 0 }))
}

/** The account of a channel: the sum of its charges, less its credits. */
async function repairAccounts({ db }: Connection): Promise<number> {
  const opened = await sql`insert into channel_accounts (id, used_quota)
    select id,
      coalesce((select cast(sum(amount) as bigint) from ledger_charges
        where account_kind = 'channel' and account_id = channels.id), 0)
      - coalesce((select cast(sum(amount) as bigint) from ledger_entries
        where account_kind = 'channel' and account_id = channels.id), 0)
    from channels where id not in (select id from channel_accounts)`.execute(db)
  const left = []
  for (const { table, column } of rowsOfChannels) {
    const named = sql`${sql.ref(column)} not in (select id from channels)`
    left.push(await sql`delete from ${sql.table(table)} where ${named}`.execute(db))
  }
  return [opened, ...left].reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0)
}

export type ChannelRepository = ReturnType<typeof createChannelRepository>

/** Times of the last success and failure of a channel's calls, with the reason. */
export const channelOutcomeTable = defineTable('channel_outcomes', {
  channelId: integer(),
  /** 0 for never. */
  lastSuccessAt: integer(),
  lastFailureAt: integer(),
  /** Empty when none failed. */
  failureCode: text(),
  failureParams: json<ReasonParams>(),
})
export type ChannelOutcome = EntityOf<typeof channelOutcomeTable>

/** Each node writes what it has seen: of both the later success, and the later failure. */
const mergeOutcome = `on conflict (channel_id) do update set ${(
  [
    ['last_success_at', 'last_success_at'],
    ['failure_code', 'last_failure_at'],
    ['failure_params', 'last_failure_at'],
    ['last_failure_at', 'last_failure_at'],
  ] as const
)
  .map(
    ([column, time]) => `${column} = case when excluded.${time} >= channel_outcomes.${time}
      then excluded.${column} else channel_outcomes.${column} end`,
  )
  .join(', ')}`

/** Outcomes of channels' calls, which channels/health writes from memory at intervals. */
export function createChannelOutcomeRepository({ db, dialect, batch }: Connection) {
  return {
    listAll: () =>
      channelOutcomeTable.all(db.selectFrom('channel_outcomes').selectAll().orderBy('channel_id')),
    /** Keeps what is later of these and those that another node has written. */
    async save(outcomes: readonly ChannelOutcome[]): Promise<void> {
      if (outcomes.length === 0) return
      const rows = outcomes.map((outcome) => channelOutcomeTable.values(outcome))
      await batch([
        dialect.insertRows('channel_outcomes', channelOutcomeTable.columnTypes, rows, mergeOutcome),
      ])
    },
  }
}
export type ChannelOutcomeRepository = ReturnType<typeof createChannelOutcomeRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    channels: RowOf<typeof channelTable>
    channel_accounts: RowOf<typeof channelAccountTable>
    channel_outcomes: RowOf<typeof channelOutcomeTable>
  }
}
