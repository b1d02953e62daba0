import { type Insertable, sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { Seconds } from '../entities.ts'
import type {
  NewStoredResponse,
  ResponseBounds,
  ResponseLink,
  ResponseOwner,
  StoredResponse,
  StoredResponseRepository,
} from '../stored-response-repository.ts'
import type { StoredResponseRow } from '../tables.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<StoredResponse> = {
  userId: integer('user_id'),
  tokenId: integer('token_id'),
  id: text('id'),
  previousId: text('previous_id'),
  sealed: text('sealed'),
  bytes: integer('bytes'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
}

export function createStoredResponseRepository(connection: Connection): StoredResponseRepository {
  const { db, dialect } = connection
  const own = ({ userId, tokenId }: ResponseOwner, now: Seconds) =>
    db
      .selectFrom('stored_responses')
      .selectAll()
      .where('user_id', '=', userId)
      .where('token_id', '=', tokenId)
      .where('expires_at', '>', now)
  return {
    addAll: (responses) =>
      connection.transaction(async (joined) => {
        for (const response of responses) await add(joined, response)
      }),
    async findOwn(owner, id, now) {
      const row = await own(owner, now).where('id', '=', storableText(id)).executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async listOwn(owner, ids, now) {
      const rows = await own(owner, now)
        .where(dialect.isOneOf('id', ids.map(storableText)))
        .execute()
      return rows.map((row) => readEntity(fields, row))
    },
    listOwnConversation: (owner, id, now, limit) => listConversation(connection, owner, id, now, limit),
    async findOwnItems({ userId, tokenId }, itemIds) {
      const rows = await db
        .selectFrom('stored_response_items')
        .select(['item_id', 'response_id'])
        .where('user_id', '=', userId)
        .where('token_id', '=', tokenId)
        .where(dialect.isOneOf('item_id', itemIds.map(storableText)))
        .execute()
      return new Map(rows.map((row) => [row.item_id, row.response_id]))
    },
    deleteOwn: (owner, id, now) =>
      connection.transaction(async (joined) => {
        const found = await joined.db
          .selectFrom('stored_responses')
          .select(['user_id', 'token_id', 'id'])
          .where('user_id', '=', owner.userId)
          .where('token_id', '=', owner.tokenId)
          .where('id', '=', storableText(id))
          .where('expires_at', '>', now)
          .execute()
        await remove(joined, found)
        return found.length > 0
      }),
    trimUser: (userId, bounds) =>
      connection.transaction(async (joined) => remove(joined, await surplus(joined, userId, bounds))),
    deleteExpired: (now, limit) =>
      connection.transaction(async (joined) => {
        const rows = await joined.db
          .selectFrom('stored_responses')
          .select(['user_id', 'token_id', 'id'])
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .execute()
        await remove(joined, rows)
        return rows.length
      }),
  }
}

/** An answer cannot have gone on from itself: a conversation without a beginning would be found by nobody. */
async function add(connection: Connection, response: NewStoredResponse): Promise<void> {
  const { itemIds, ancestorIds, ...stored } = response
  if (ancestorIds.includes(stored.id)) return
  const row = writeColumns<StoredResponse, Insertable<StoredResponseRow>>(fields, stored)
  await connection.db
    .insertInto('stored_responses')
    .values(row)
    .onConflict((known) => known.columns(['user_id', 'token_id', 'id']).doUpdateSet(row))
    .execute()
  for (const itemId of itemIds) await addItem(connection, row, storableText(itemId))
  if (ancestorIds.length > 0) await keepUntil(connection, row, ancestorIds)
}

async function addItem(
  { db }: Connection,
  { user_id, token_id, id }: RowKey,
  item_id: string,
): Promise<void> {
  await db
    .insertInto('stored_response_items')
    .values({ user_id, token_id, item_id, response_id: id })
    .onConflict((known) => known.columns(['user_id', 'token_id', 'item_id']).doUpdateSet({ response_id: id }))
    .execute()
}

async function keepUntil(
  { db, dialect }: Connection,
  { user_id, token_id, expires_at }: Insertable<StoredResponseRow>,
  ids: readonly string[],
): Promise<void> {
  await db
    .updateTable('stored_responses')
    .set({ expires_at })
    .where('user_id', '=', user_id)
    .where('token_id', '=', token_id)
    .where(dialect.isOneOf('id', ids.map(storableText)))
    .where('expires_at', '<', expires_at)
    .execute()
}

async function listConversation(
  { db }: Connection,
  { userId, tokenId }: ResponseOwner,
  id: string,
  now: Seconds,
  limit: number,
): Promise<readonly ResponseLink[]> {
  const own = sql`user_id = ${userId} and token_id = ${tokenId} and expires_at > ${now}`
  const { rows } = await sql<{ id: string; previous_id: string; bytes: number }>`
    with recursive conversation(id, previous_id, bytes, place) as (
      select id, previous_id, bytes, 1 from stored_responses where ${own} and id = ${storableText(id)}
      union all
      select earlier.id, earlier.previous_id, earlier.bytes, conversation.place + 1
      from conversation join stored_responses earlier on earlier.id = conversation.previous_id
      where ${own} and conversation.place < ${limit}
    )
    select id, previous_id, bytes from conversation order by place desc`.execute(db)
  return rows.map((row) => ({ id: row.id, previousId: row.previous_id, bytes: row.bytes }))
}

type RowKey = Pick<StoredResponseRow, 'user_id' | 'token_id' | 'id'>

/** Rows with what finds their items. */
async function remove({ db }: Connection, rows: readonly RowKey[]): Promise<void> {
  for (const { user_id, token_id, id } of rows) {
    await db
      .deleteFrom('stored_response_items')
      .where('user_id', '=', user_id)
      .where('token_id', '=', token_id)
      .where('response_id', '=', id)
      .execute()
    await db
      .deleteFrom('stored_responses')
      .where('user_id', '=', user_id)
      .where('token_id', '=', token_id)
      .where('id', '=', id)
      .execute()
  }
}

/** Deleted in one transaction, at most. */
const longestTrim = 200

/** The oldest rows of a user beyond the bounds. */
async function surplus(
  { db }: Connection,
  userId: number,
  bounds: ResponseBounds,
): Promise<readonly RowKey[]> {
  const ofUser = db.selectFrom('stored_responses').where('user_id', '=', userId)
  const total = await ofUser
    .select(({ fn }) => [fn.countAll<number>().as('responses'), fn.sum<number>('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  let responses = Number(total.responses) - bounds.responses
  let bytes = Number(total.bytes ?? 0) - bounds.bytes
  if (responses <= 0 && bytes <= 0) return []
  const oldest = await ofUser
    .select(['user_id', 'token_id', 'id', 'bytes'])
    .orderBy('created_at')
    .limit(longestTrim)
    .execute()
  const past = oldest.findIndex((row) => {
    if (responses <= 0 && bytes <= 0) return true
    responses -= 1
    bytes -= row.bytes
    return false
  })
  return past < 0 ? oldest : oldest.slice(0, past)
}
