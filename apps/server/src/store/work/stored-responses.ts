import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

/** The owner of a response: the key that requested it, and the key's user. */
export interface ResponseOwner {
  readonly userId: number
  readonly tokenId: number
}

export interface NewStoredResponse extends StoredResponse {
  /** Ids of the items of its output. */
  readonly itemIds: readonly string[]
  /** Ids of all responses before it in the conversation: they stay stored as long as this one. */
  readonly ancestorIds: readonly string[]
}

export interface ResponseBounds {
  readonly responses: number
  readonly bytes: number
}

export const storedResponseTable = defineTable('stored_responses', {
  userId: integer(),
  tokenId: integer(),
  id: text(),
  /** Id of the response that it continues; empty for none. */
  previousId: text(),
  /** Input and response, sealed. */
  sealed: text(),
  /** Size before sealing. */
  bytes: integer(),
  createdAt: integer(),
  expiresAt: integer(),
})

/** A response that its owner can read and continue. */
export type StoredResponse = EntityOf<typeof storedResponseTable>

const link = storedResponseTable.pick(['id', 'previousId', 'bytes'])
/** One response of a conversation. */
export type ResponseLink = EntityOf<typeof link>

/** Finds the response of an output item. */
export const storedItemTable = defineTable('stored_response_items', {
  userId: integer(),
  tokenId: integer(),
  itemId: text(),
  responseId: text(),
})

export function createStoredResponseRepository(connection: Connection) {
  const { db, dialect } = connection
  const own = ({ userId, tokenId }: ResponseOwner, now: Seconds) =>
    db
      .selectFrom('stored_responses')
      .selectAll()
      .where('user_id', '=', userId)
      .where('token_id', '=', tokenId)
      .where('expires_at', '>', now)
  return {
    /**
     * Adds all of them or none. A response replaces another one with its id; one that would continue itself is left out.
     */
    addAll: (responses: readonly NewStoredResponse[]): Promise<void> =>
      connection.transaction(async (joined) => {
        // A response cannot continue itself: a conversation without a beginning could never be read.
        const added = responses.filter(({ id, ancestorIds }) => !ancestorIds.includes(id))
        await putRows(joined, added)
        await putItems(joined, added)
        for (const response of added)
          if (response.ancestorIds.length > 0) await keepAncestors(joined, response)
      }),
    async findOwn(owner: ResponseOwner, id: string, now: Seconds): Promise<StoredResponse | undefined> {
      return storedResponseTable.first(own(owner, now).where('id', '=', storableText(id)))
    },
    /** Lists them in no particular order; unknown ids are left out. */
    async listOwn(
      owner: ResponseOwner,
      ids: readonly string[],
      now: Seconds,
    ): Promise<readonly StoredResponse[]> {
      return storedResponseTable.all(own(owner, now).where(dialect.isOneOf('id', ids.map(storableText))))
    },
    /** The response and those that it continues, at most `limit`, the oldest first. */
    listOwnConversation: (
      owner: ResponseOwner,
      id: string,
      now: Seconds,
      limit: number,
    ): Promise<readonly ResponseLink[]> => listConversation(connection, owner, id, now, limit),
    /** Item id → id of the response whose output has it. */
    async findOwnItems(
      { userId, tokenId }: ResponseOwner,
      itemIds: readonly string[],
    ): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .selectFrom('stored_response_items')
        .select(['item_id', 'response_id'])
        .where('user_id', '=', userId)
        .where('token_id', '=', tokenId)
        .where(dialect.isOneOf('item_id', itemIds.map(storableText)))
        .execute()
      return new Map(rows.map((row) => [row.item_id, row.response_id]))
    },
    /** Returns whether the response existed. */
    deleteOwn: (owner: ResponseOwner, id: string, now: Seconds): Promise<boolean> =>
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
    /** Deletes a user's oldest responses, some at a time, until the rest is within the bounds. */
    trimUser: (userId: number, bounds: ResponseBounds): Promise<void> =>
      connection.transaction(async (joined) => remove(joined, await surplus(joined, userId, bounds))),
    /** Deletes at most `limit`; returns how many. */
    deleteExpired: (now: Seconds, limit: number): Promise<number> =>
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

/** Retains the last row of each key, because a statement may change each row once. */
function lastOf<Row>(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()]
}

async function putRows({ db }: Connection, responses: readonly NewStoredResponse[]): Promise<void> {
  const all = responses.map(({ itemIds: _items, ancestorIds: _ancestors, ...stored }) =>
    storedResponseTable.insertion(stored),
  )
  const rows = lastOf(all, ({ user_id, token_id, id }) => `${user_id} ${token_id} ${id}`)
  if (rows.length === 0) return
  await db
    .insertInto('stored_responses')
    .values(rows)
    .onConflict((known) =>
      known.columns(['user_id', 'token_id', 'id']).doUpdateSet(({ ref }) => ({
        previous_id: ref('excluded.previous_id'),
        sealed: ref('excluded.sealed'),
        bytes: ref('excluded.bytes'),
        created_at: ref('excluded.created_at'),
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .execute()
}

async function putItems({ db }: Connection, responses: readonly NewStoredResponse[]): Promise<void> {
  const all = responses.flatMap(({ userId, tokenId, id, itemIds }) =>
    itemIds.map((itemId) => storedItemTable.insertion({ userId, tokenId, itemId, responseId: id })),
  )
  const rows = lastOf(all, ({ user_id, token_id, item_id }) => `${user_id} ${token_id} ${item_id}`)
  for (let start = 0; start < rows.length; start += itemsPerInsert)
    await db
      .insertInto('stored_response_items')
      .values(rows.slice(start, start + itemsPerInsert))
      .onConflict((known) =>
        known
          .columns(['user_id', 'token_id', 'item_id'])
          .doUpdateSet(({ ref }) => ({ response_id: ref('excluded.response_id') })),
      )
      .execute()
}

/** Databases bound the parameters of one statement. */
const itemsPerInsert = 1000

async function keepAncestors(
  { db, dialect }: Connection,
  { userId, tokenId, expiresAt, ancestorIds }: NewStoredResponse,
): Promise<void> {
  await db
    .updateTable('stored_responses')
    .set({ expires_at: expiresAt })
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .where(dialect.isOneOf('id', ancestorIds.map(storableText)))
    .where('expires_at', '<', expiresAt)
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
  const { rows } = await sql<RowOf<typeof link>>`
    with recursive conversation(id, previous_id, bytes, place) as (
      select id, previous_id, bytes, 1 from stored_responses where ${own} and id = ${storableText(id)}
      union all
      select earlier.id, earlier.previous_id, earlier.bytes, conversation.place + 1
      from conversation join stored_responses earlier on earlier.id = conversation.previous_id
      where ${own} and conversation.place < ${limit}
    )
    select id, previous_id, bytes from conversation order by place desc`.execute(db)
  return rows.map(link.read)
}

type RowKey = Pick<RowOf<typeof storedResponseTable>, 'user_id' | 'token_id' | 'id'>

/** Removes rows together with their item index. */
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

/** Most rows that one transaction deletes. */
const maxTrim = 200

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
    .limit(maxTrim)
    .execute()
  const past = oldest.findIndex((row) => {
    if (responses <= 0 && bytes <= 0) return true
    responses -= 1
    bytes -= row.bytes
    return false
  })
  return past < 0 ? oldest : oldest.slice(0, past)
}

declare module '../schema/tables.ts' {
  interface Tables {
    stored_responses: RowOf<typeof storedResponseTable>
    stored_response_items: RowOf<typeof storedItemTable>
  }
}

/** Stores responses of the Responses API; only its owner finds one. `now`: responses that expired by then are not found. */
export type StoredResponseRepository = ReturnType<typeof createStoredResponseRepository>
