import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { BalanceRangeError } from '../errors.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf } from '../schema/table.ts'
import type { Quota, Seconds } from '../units.ts'

/** The inviter's gift once the invitee has paid. */
export const heldShareTable = defineTable('held_invitation_shares', {
  inviteeId: integer(),
  inviterId: integer(),
  quota: integer(),
  createdAt: integer(),
})
const pendingShares = heldShareTable.pick(['inviterId', 'quota'])
export type PendingShare = EntityOf<typeof pendingShares>

/** Queries of the users' repository that move the earnings of invitations. */
export function createInvitationQueries({ db }: Connection) {
  /** @throws BalanceRangeError when a figure would be beyond what a number holds */
  async function addInvited(inviterId: number, count: number, quota: number): Promise<boolean> {
    const room = Number.MAX_SAFE_INTEGER - Math.max(0, quota)
    const invited = db
      .updateTable('users')
      .set({
        aff_count: sql`aff_count + ${count}`,
        aff_quota: sql`aff_quota + ${quota}`,
        aff_history_quota: sql`aff_history_quota + ${quota}`,
      })
      .where('id', '=', inviterId)
      .where('deleted_at', 'is', null)
      .where('aff_quota', '<=', room)
      .where('aff_history_quota', '<=', room)
      .returning('id')
    if (await hasRow(invited)) return true
    const inviter = db.selectFrom('users').select('aff_history_quota').where('id', '=', inviterId)
    const full = await inviter.where('deleted_at', 'is', null).executeTakeFirst()
    if (full !== undefined) throw new BalanceRangeError('aff_quota', full.aff_history_quota, quota)
    return false
  }

  return {
    /** Counts an invited user, and `quota` in both of the inviter's invitation figures. False when there is no such user. */
    addInvitation: (inviterId: number, quota: Quota): Promise<boolean> => addInvited(inviterId, 1, quota),
    /** The same without counting a user. */
    addInvitationQuota: (inviterId: number, quota: Quota): Promise<boolean> =>
      addInvited(inviterId, 0, quota),
    /** Stores an inviter's share until `takePendingInviterBonus`. */
    async addPendingInviterBonus(
      inviteeId: number,
      { inviterId, quota }: PendingShare,
      at: Seconds,
    ): Promise<void> {
      const row = heldShareTable.insertion({ inviteeId, inviterId, quota, createdAt: at })
      await db.insertInto('held_invitation_shares').values(row).execute()
    },
    /** Removes the share that an invitee's inviter waits for, and returns it to the caller that removed it. */
    async takePendingInviterBonus(inviteeId: number): Promise<PendingShare | undefined> {
      return await pendingShares.first(
        db.deleteFrom('held_invitation_shares').where('invitee_id', '=', inviteeId).returningAll(),
      )
    },
    /** Lowers the invitation earnings; false, without a change, when they are less than `quota`. */
    async takeInvitationQuota(id: number, quota: Quota): Promise<boolean> {
      const taken = db
        .updateTable('users')
        .set({ aff_quota: sql`aff_quota - ${quota}` })
        .where('id', '=', id)
        .where('aff_quota', '>=', quota)
        .where('deleted_at', 'is', null)
        .returning('id')
      return hasRow(taken)
    },
    /** The user's invite code: `code` when there was none. Throws `DuplicateError` when another user has that code. */
    async ensureInviteCode(id: number, code: string): Promise<string | undefined> {
      const ensured = db
        .updateTable('users')
        .set({ aff_code: sql`case when aff_code = '' then ${code} else aff_code end` })
        .where('id', '=', id)
        .returning('aff_code')
      return (await ensured.executeTakeFirst())?.aff_code
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    held_invitation_shares: RowOf<typeof heldShareTable>
  }
}
