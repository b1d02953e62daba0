import type { Connection } from '../database.ts'
import { countRows, hasRow } from '../queries.ts'
import { defineTable, type EntityOf, generatedId, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

/** A link that shows one charge of a user, or the charges of a day, without an account. */
export const chargeLinkTable = defineTable('charge_links', {
  id: generatedId(),
  userId: integer(),
  /** Row of the log; 0 for the charges of a time. */
  logId: integer(),
  /** The time of the call, or the first second of the day, and the first after it. */
  startsAt: integer(),
  endsAt: integer(),
  /** IANA name by which the day begins; empty for a call. */
  timeZone: text(),
  createdAt: integer(),
  createdBy: integer(),
  expiresAt: integer(),
  /** 0 while it opens. */
  revokedAt: integer(),
})
export type ChargeLink = EntityOf<typeof chargeLinkTable>

export function createChargeLinkRepository({ db }: Connection) {
  const inForce = (userId: number, now: Seconds) =>
    db
      .selectFrom('charge_links')
      .where('user_id', '=', userId)
      .where('revoked_at', '=', 0)
      .where('expires_at', '>', now)

  return {
    async create(link: Omit<ChargeLink, 'id'>): Promise<ChargeLink> {
      const row = chargeLinkTable.insertion(link)
      const created = db.insertInto('charge_links').values(row).returningAll()
      return chargeLinkTable.read(await created.executeTakeFirstOrThrow())
    },
    async find(id: number): Promise<ChargeLink | undefined> {
      return chargeLinkTable.first(db.selectFrom('charge_links').selectAll().where('id', '=', id))
    },
    /** Links of a user that open, newest first; as many as a user may have. */
    listOpen: (userId: number, now: Seconds): Promise<ChargeLink[]> =>
      chargeLinkTable.all(inForce(userId, now).selectAll().orderBy('id', 'desc')),
    countOpen: (userId: number, now: Seconds): Promise<number> => countRows(inForce(userId, now)),
    /** @returns false, without a change, when it opened no more or belongs to somebody else */
    revoke(id: number, userId: number, at: Seconds): Promise<boolean> {
      const revoked = db.updateTable('charge_links').set({ revoked_at: at }).where('id', '=', id)
      return hasRow(revoked.where('user_id', '=', userId).where('revoked_at', '=', 0).returning('id'))
    },
    /** Those that ended before. */
    async deleteEnded(before: Seconds): Promise<void> {
      await db.deleteFrom('charge_links').where('expires_at', '<', before).execute()
    },
  }
}

export type ChargeLinkRepository = ReturnType<typeof createChargeLinkRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    charge_links: RowOf<typeof chargeLinkTable>
  }
}
