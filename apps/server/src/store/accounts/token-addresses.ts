import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

const tokenAddressTable = defineTable('token_addresses', {
  tokenId: integer(),
  address: text(),
  firstSeenAt: integer(),
  lastSeenAt: integer(),
  calls: integer(),
})

/** An address from which calls with a key came. */
export type TokenAddress = EntityOf<typeof tokenAddressTable>

/** Calls with a key from an address since they were written last. */
export interface AddressUse extends Pick<TokenAddress, 'tokenId' | 'address' | 'calls'> {
  readonly at: Seconds
}

/** Addresses that are stored of a key; those seen longest ago go first. */
const maxPerToken = 200

export function createTokenAddressRepository({ db, dialect, transaction }: Connection) {
  return {
    /** Adds calls to what is known of their addresses. */
    add: (uses: readonly AddressUse[]): Promise<void> =>
      transaction(async ({ db: tx }) => {
        // In one order: two nodes that add the same rows wait for each other once.
        const ordered = uses.toSorted((a, b) => a.tokenId - b.tokenId || (a.address < b.address ? -1 : 1))
        for (const { at, ...use } of ordered) {
          const row = tokenAddressTable.insertion({ ...use, firstSeenAt: at, lastSeenAt: at })
          await tx
            .insertInto('token_addresses')
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(['token_id', 'address']).doUpdateSet({
                calls: sql`token_addresses.calls + excluded.calls`,
                last_seen_at: sql`case when excluded.last_seen_at > token_addresses.last_seen_at
                  then excluded.last_seen_at else token_addresses.last_seen_at end`,
              }),
            )
            .execute()
        }
        const ids = [...new Set(uses.map(({ tokenId }) => tokenId))]
        await sql`delete from token_addresses where ${dialect.isOneOf('token_id', ids)} and
          (select count(*) from token_addresses as newer where newer.token_id = token_addresses.token_id
            and (newer.last_seen_at > token_addresses.last_seen_at
              or newer.last_seen_at = token_addresses.last_seen_at and newer.address < token_addresses.address)
          ) >= ${maxPerToken}`.execute(tx)
      }),
    /** Lists those seen since a time, last seen first. */
    list(tokenId: number, since: Seconds, limit: number): Promise<TokenAddress[]> {
      return tokenAddressTable.all(
        db
          .selectFrom('token_addresses')
          .selectAll()
          .where('token_id', '=', tokenId)
          .where('last_seen_at', '>=', since)
          .orderBy('last_seen_at', 'desc')
          .orderBy('address')
          .limit(limit),
      )
    },
    async deleteBefore(time: Seconds): Promise<void> {
      await db.deleteFrom('token_addresses').where('last_seen_at', '<', time).execute()
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    token_addresses: RowOf<typeof tokenAddressTable>
  }
}

export type TokenAddressRepository = ReturnType<typeof createTokenAddressRepository>
