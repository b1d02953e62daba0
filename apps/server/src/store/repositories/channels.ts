import { channelStatuses } from '@tollgate/api/roles'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Channel } from '../entities.ts'
import type { ChannelRepository } from '../store.ts'
import type { ChannelAccountRow, ChannelRow } from '../tables.ts'
import { containing, storableText } from '../text.ts'
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

const searchLimit = 1000

/** Two columns: an automatic change without a time never happened. */
const statusReason: Field<Channel['statusReason']> = {
  write: (value) => ({ status_reason: value?.reason ?? '', status_reason_at: value?.at ?? null }),
  read(row) {
    const at = row['status_reason_at']
    return typeof at === 'number' ? { reason: String(row['status_reason']), at } : null
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

export function createChannelRepository({ db, dialect, transaction }: Connection): ChannelRepository {
  const all = () =>
    db.selectFrom('channels').innerJoin('channel_accounts', 'channel_accounts.id', 'channels.id').selectAll()
  const ordered = (byId: boolean) =>
    (byId ? all() : all().orderBy('priority', 'desc')).orderBy('channels.id', 'desc')

  async function find(id: number): Promise<Channel | undefined> {
    return toChannel(await all().where('channels.id', '=', id).executeTakeFirst())
  }

  return {
    create: (channel) =>
      transaction(async ({ db: tx }) => {
        const row = writeColumns<Channel, Insertable<ChannelRow>>(fields, { ...channel, ...unknownYet })
        const created = await tx.insertInto('channels').values(row).returningAll().executeTakeFirstOrThrow()
        const opened = tx.insertInto('channel_accounts').values({ id: created.id }).returningAll()
        return readEntity(fields, { ...created, ...(await opened.executeTakeFirstOrThrow()) })
      }),
    find,
    async listAll() {
      return (await all().orderBy('channels.id').execute()).map((row) => readEntity(fields, row))
    },
    async list({ offset, limit, byId }) {
      const rows = await ordered(byId).offset(offset).limit(limit).execute()
      return rows.map((row) => readEntity(fields, row))
    },
    async search({ keyword, group, model, byId }) {
      let found = ordered(byId)
      if (keyword !== undefined)
        found = found.where((where) =>
          where.or([contains(sql.ref('name'), keyword), where('channels.id', '=', idIn(keyword))]),
        )
      if (model !== undefined) found = found.where(dialect.anyItem('models', (item) => contains(item, model)))
      if (group !== undefined)
        found = found.where(
          dialect.anyItem('groups', (item) => sql<boolean>`${item} = ${storableText(group)}`),
        )
      return (await found.limit(searchLimit).execute()).map((row) => readEntity(fields, row))
    },
    async update(id, change) {
      const row = writeColumns<Channel, Updateable<ChannelRow>>(fields, change)
      if (Object.keys(row).length > 0)
        await db.updateTable('channels').set(row).where('id', '=', id).execute()
      return await find(id)
    },
    delete: (id) =>
      transaction(async ({ db: tx }) => {
        await tx.deleteFrom('channel_accounts').where('id', '=', id).execute()
        const gone = tx.deleteFrom('channels').where('id', '=', id).returning('id')
        return (await gone.executeTakeFirst()) !== undefined
      }),
  }
}

function contains(column: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${column}) like lower(${containing(part)}) escape '\\'`
}

/** The id that a keyword is; 0, which no channel has, when it is none. */
function idIn(keyword: string): number {
  const id = Number(keyword)
  return /^\d+$/.test(keyword) && Number.isSafeInteger(id) ? id : 0
}

function toChannel(row: Selectable<ChannelRow & ChannelAccountRow> | undefined): Channel | undefined {
  return row && readEntity(fields, row)
}
