import { sql } from 'kysely'
import type { Token } from '../accounts/tokens.ts'
import type { Connection } from '../database.ts'

/** Tables of rows that are useless without the master key that sealed or hashed them: they are deleted. */
const uselessRows = {
  second_factors: 'secondFactors',
  recovery_codes: 'recoveryCodes',
  one_time_secrets: 'openLinks',
  access_tokens: 'accessTokens',
  known_identities: 'knownIdentities',
  stored_response_items: 'storedItems',
  stored_responses: 'storedResponses',
  failed_calls: 'failedCalls',
} as const

export type DeletedRows = Readonly<Record<(typeof uselessRows)[keyof typeof uselessRows], number>>

type Hashed = Pick<Token, 'keyHash' | 'keySealed'>

/** Repository that frees a database of rows whose master key is lost. */
export function createLostSecretRepository({ db }: Connection) {
  async function idsAfter(table: 'tokens' | 'redemptions', id: number, limit: number): Promise<number[]> {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map((row) => row.id)
  }

  return {
    /** Deletes what nobody can use any more, and says how many rows there were. */
    async deleteUseless(): Promise<DeletedRows> {
      const deleted: [string, number][] = []
      for (const [table, name] of Object.entries(uselessRows)) {
        const { numAffectedRows } = await sql`delete from ${sql.table(table)}`.execute(db)
        deleted.push([name, Number(numAffectedRows ?? 0)])
      }
      await db
        .updateTable('users')
        .set({ access_token_hash: '' })
        .where('access_token_hash', '<>', '')
        .execute()
      // The table above names each of them.
      return Object.fromEntries(deleted) as DeletedRows
    },
    idsAfter,
    /** Gives an API key another text; its budget, limits and status stay. */
    async renewToken(id: number, key: Hashed & Pick<Token, 'keyHead' | 'keyTail'>): Promise<void> {
      const { keyHash: key_hash, keySealed: key_sealed, keyHead: key_head, keyTail: key_tail } = key
      await db
        .updateTable('tokens')
        .set({ key_hash, key_sealed, key_head, key_tail })
        .where('id', '=', id)
        .execute()
    },
    /** Gives a redemption code another text. */
    async renewCode(id: number, { keyHash: key_hash, keySealed: key_sealed }: Hashed): Promise<void> {
      await db.updateTable('redemptions').set({ key_hash, key_sealed }).where('id', '=', id).execute()
    },
  }
}

export type LostSecretRepository = ReturnType<typeof createLostSecretRepository>
