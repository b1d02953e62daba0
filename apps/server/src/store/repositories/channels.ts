import { channelStatuses } from '@tollgate/api/roles'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ChannelRepository, NewChannel } from '../channel-repository.ts'
import type { Connection } from '../database.ts'
import type { Channel, ChannelSummary } from '../entities.ts'
import type { ChannelAccountRow, ChannelRow } from '../tables.ts'
import { storableText } from '../text.ts'
import {
  type Field,
  type Fields,
  flag,
  integer,
  json,
  named,
  readEntity,
  real,
  text,
  textList,
  writeColumns,
} from './fields.ts'

/** Parameters of one statement are limited; a channel has some thirty. */
const rowsPerInsert = 500

/** An automatic change without a time never happened. */
const statusReason: Field<Channel['statusReason']> = {
  write: (value) => ({
    status_reason: storableText(value?.reason ?? ''),
    status_reason_at: value?.at ?? null,
    status_reason_code: value?.code ?? '',
    status_reason_params: storableText(JSON.stringify(value?.params ?? {})),
  }),
  read(row) {
    const at = row['status_reason_at']
    if (typeof at !== 'number') return null
    const code = String(row['status_reason_code'])
    const reason = { reason: String(row['status_reason']), at }
    return code === '' ? reason : { ...reason, code, params: JSON.parse(String(row['status_reason_params'])) }
  },
}

const fields: Fields<Channel> = {
  id: integer('id'),
  type: integer('type'),
  name: text('name'),
  status: named('status', channelStatuses),
  keysSealed: text('keys_sealed'),
  keyCount: integer('key_count'),
  keyStates: json('key_states'),
  openaiOrganization: text('openai_organization'),
  maxInputTokens: integer('max_input_tokens'),
  baseUrl: text('base_url'),
  baseUrlTrusted: flag('base_url_trusted'),
  other: text('other'),
  models: textList('models'),
  groups: textList('groups'),
  modelMapping: text('model_mapping'),
  statusCodeMapping: text('status_code_mapping'),
  paramOverride: text('param_override'),
  setting: text('setting'),
  autoBan: flag('auto_ban'),
  testModel: text('test_model'),
  priority: integer('priority'),
  weight: integer('weight'),
  tag: text('tag'),
  usedQuota: integer('used_quota'),
  balance: real('balance'),
  balanceUpdatedAt: integer('balance_updated_at'),
  responseTimeMs: integer('response_time_ms'),
  testedAt: integer('tested_at'),
  createdAt: integer('created_at'),
  statusReason,
}

/** What a channel is before anything was learned about it. */
const unknownYet = {
  keyStates: [],
  balance: 0,
  balanceUpdatedAt: 0,
  responseTimeMs: 0,
  testedAt: 0,
  statusReason: null,
} satisfies Partial<Channel>

/** The fields of a summary; the columns of each are named alike. */
const summaryFields: Fields<ChannelSummary> = {
  id: fields.id,
  type: fields.type,
  name: fields.name,
  status: fields.status,
  keyCount: fields.keyCount,
  keyStates: fields.keyStates,
  groups: fields.groups,
  priority: fields.priority,
  weight: fields.weight,
  tag: fields.tag,
  usedQuota: fields.usedQuota,
  balance: fields.balance,
  responseTimeMs: fields.responseTimeMs,
}

const summaryColumns = [
  'channels.id',
  'type',
  'name',
  'status',
  'key_count',
  'key_states',
  'groups',
  'priority',
  'weight',
  'tag',
  'channel_accounts.used_quota',
  'balance',
  'response_time_ms',
] as const

export function createChannelRepository(connection: Connection): ChannelRepository {
  const { db, dialect, transaction } = connection
  const joined = () =>
    db.selectFrom('channels').innerJoin('channel_accounts', 'channel_accounts.id', 'channels.id')
  const all = () => joined().selectAll()
  const oneOf = (ids: readonly number[]) => dialect.isOneOf('channels.id', ids)

  async function find(id: number): Promise<Channel | undefined> {
    return toChannel(await all().where('channels.id', '=', id).executeTakeFirst())
  }

  async function deleteMany(ids: readonly number[]): Promise<number[]> {
    return await transaction(async ({ db: tx }) => {
      await tx.deleteFrom('channel_accounts').where(dialect.isOneOf('id', ids)).execute()
      await tx.deleteFrom('channel_outcomes').where(dialect.isOneOf('id', ids)).execute()
      const gone = await tx.deleteFrom('channels').where(dialect.isOneOf('id', ids)).returning('id').execute()
      return gone.map(({ id }) => id)
    })
  }

  async function createMany(channels: readonly NewChannel[]): Promise<Channel[]> {
    return await transaction(async (tx) => {
      const created: Channel[] = []
      for (let start = 0; start < channels.length; start += rowsPerInsert)
        created.push(...(await insert(channels.slice(start, start + rowsPerInsert), tx)))
      return created
    })
  }

  return {
    async create(channel) {
      const [created] = await createMany([channel])
      if (created === undefined) throw new Error('a channel was inserted and is not there')
      return created
    },
    createMany,
    find,
    async listAll() {
      return (await all().orderBy('channels.id').execute()).map((row) => readEntity(fields, row))
    },
    async listByIds(ids) {
      const rows = await all().where(oneOf(ids)).orderBy('channels.id').execute()
      return rows.map((row) => readEntity(fields, row))
    },
    async listByTag(tag) {
      const rows = await all().where('tag', '=', storableText(tag)).orderBy('channels.id').execute()
      return rows.map((row) => readEntity(fields, row))
    },
    async listSummaries({ ids, tag } = {}) {
      let found = joined().select(summaryColumns).orderBy('channels.id')
      if (ids !== undefined) found = found.where(oneOf(ids))
      if (tag !== undefined) found = found.where('tag', '=', storableText(tag))
      const rows = await found.execute()
      return rows.map((row) => readEntity(summaryFields, row))
    },
    async update(id, change) {
      const row = writeColumns<Channel, Updateable<ChannelRow>>(fields, change)
      if (Object.keys(row).length > 0)
        await db.updateTable('channels').set(row).where('id', '=', id).execute()
      return await find(id)
    },
    async updateMany(ids, change) {
      const row = writeColumns<Channel, Updateable<ChannelRow>>(fields, change)
      if (Object.keys(row).length > 0)
        await db.updateTable('channels').set(row).where(dialect.isOneOf('id', ids)).execute()
    },
    delete: async (id) => (await deleteMany([id])).length > 0,
    deleteMany,
    repair: () => transaction(repairAccounts),
  }
}

async function insert(channels: readonly NewChannel[], { db }: Connection): Promise<Channel[]> {
  const rows = channels.map((channel) =>
    writeColumns<Channel, Insertable<ChannelRow>>(fields, { ...channel, ...unknownYet }),
  )
  const created = await db.insertInto('channels').values(rows).returningAll().execute()
  const accounts = created.map(({ id }) => ({ id }))
  await db.insertInto('channel_accounts').values(accounts).execute()
  return created.toSorted((a, b) => a.id - b.id).map((row) => readEntity(fields, { ...row, used_quota: 0 }))
}

/** What a channel's account says is the sum of its charges, less what was credited to it. */
async function repairAccounts({ db }: Connection): Promise<number> {
  const opened = await sql`insert into channel_accounts (id, used_quota)
    select id,
      coalesce((select cast(sum(amount) as bigint) from ledger_charges
        where account_kind = 'channel' and account_id = channels.id), 0)
      - coalesce((select cast(sum(amount) as bigint) from ledger_entries
        where account_kind = 'channel' and account_id = channels.id), 0)
    from channels where id not in (select id from channel_accounts)`.execute(db)
  const closed = await sql`delete from channel_accounts where id not in (select id from channels)`.execute(db)
  const forgotten = await sql`delete from channel_outcomes where id not in (select id from channels)`.execute(
    db,
  )
  return [opened, closed, forgotten].reduce(
    (sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows),
    0,
  )
}

function toChannel(row: Selectable<ChannelRow & ChannelAccountRow> | undefined): Channel | undefined {
  return row && readEntity(fields, row)
}
