import type { SettingValues } from '@tollgate/api/settings'
import type { Ledger } from '../billing/ledger-types.ts'
import { randomAlphanumerics } from '../lib/random.ts'
import { Refusal } from '../lib/refusal.ts'
import { DuplicateError } from '../store/errors.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import type { Quota } from '../store/units.ts'
import { inviteCodeLength } from './create-account.ts'

export interface Invitations {
  /** The user's invite code; made when there is none yet. */
  codeOf(user: User): Promise<string>
  /** Moves `quota` of what invitations earned to the balance; both or neither. */
  transfer(userId: number, quota: Quota): Promise<void>
}

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'ensureInviteCode'> }
  readonly settings: { readonly current: Pick<SettingValues, 'QuotaPerUnit'> }
  readonly ledger: Pick<Ledger, 'credit'>
}

export function createInvitations({ store, settings, ledger }: Dependencies): Invitations {
  /** Draws again when a code is somebody else's: of so many codes that happens about never, and never twice. */
  async function ensureCode(userId: number): Promise<string | undefined> {
    const draw = () => store.users.ensureInviteCode(userId, randomAlphanumerics(inviteCodeLength))
    return draw().catch((error: unknown) => {
      if (error instanceof DuplicateError) return draw()
      throw error
    })
  }

  return {
    async codeOf({ id, affCode }) {
      if (affCode !== '') return affCode
      const code = await ensureCode(id)
      if (code === undefined) throw new Refusal('record_not_found')
      return code
    },

    async transfer(userId, quota) {
      const minimum = Math.ceil(settings.current.QuotaPerUnit)
      if (quota < minimum) throw new Refusal('transfer_below_minimum', { minimum })
      await ledger.credit({
        kind: 'user',
        id: userId,
        cause: 'transfer',
        amount: quota,
        actorId: userId,
        note: 'invitations',
        async inTransaction(tx) {
          if (!(await tx.users.takeInvitationQuota(userId, quota)))
            throw new Refusal('transfer_exceeds_earnings')
        },
      })
    },
  }
}
