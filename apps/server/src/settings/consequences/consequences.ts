import type { Consent, Consequence } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import type { GroupMembers } from '../../store/accounts/read-group-members.ts'
import type { Store } from '../../store/store.ts'
import { requireConfirmation } from './confirmation.ts'
import { farPrices } from './far-prices.ts'

/** Rows of the database that decide a change's consequences. */
type Rows = Pick<Store, 'groupMembers' | 'passkeys'>

/** A group that is removed, and the one that its users, keys and channels go to. */
export interface GroupMove {
  readonly from: string
  readonly to: string
}

/**
 * Asks about what a change of options would do to money and people. Every change of an option passes it, whichever call, command or
 * undo makes it.
 * @returns the moves of the groups that it removes, which the same transaction makes
 * @throws ConfirmationRequired for what was not confirmed, and for a group in use that `consent` moves nowhere
 */
export async function settleConsequences(
  rows: Rows,
  { before, after }: { readonly before: SettingValues; readonly after: SettingValues },
  consent: Consent,
): Promise<readonly GroupMove[]> {
  const removed = Object.keys(before.GroupRatio).filter((group) => !Object.hasOwn(after.GroupRatio, group))
  const moves = removed.flatMap((from) => moveOf(from, consent, after))
  const left = removed.filter((group) => !moves.some(({ from }) => from === group))
  requireConfirmation(
    [
      ...farPrices(before, after),
      ...(await groupsInUse(rows, left)),
      ...(await lostPasskeys(rows, before.ServerAddress, after.ServerAddress)),
    ],
    consent,
  )
  return moves
}

function moveOf(from: string, { moves = {} }: Consent, { GroupRatio }: SettingValues): readonly GroupMove[] {
  const to = Object.hasOwn(moves, from) ? moves[from] : undefined
  if (to === undefined) return []
  if (!Object.hasOwn(GroupRatio, to)) throw new Refusal('group_move_unknown', { group: to })
  return [{ from, to }]
}

async function groupsInUse(rows: Rows, groups: readonly string[]): Promise<readonly Consequence[]> {
  const found: Consequence[] = []
  for (const group of groups) {
    const members = await rows.groupMembers.count(group)
    if (isUsed(members)) found.push({ code: 'group_in_use', details: { group, ...members } })
  }
  return found
}

function isUsed({ users, tokens, channels }: GroupMembers): boolean {
  return users + tokens + channels > 0
}

/** Returns the passkeys that a change of the address would lose: browsers offer them for its host alone. */
async function lostPasskeys(rows: Rows, before: string, after: string): Promise<readonly Consequence[]> {
  const [former, next] = [hostOf(before), hostOf(after)]
  if (former === next) return []
  const { passkeys, users } = await rows.passkeys.count()
  if (passkeys === 0) return []
  return [{ code: 'passkeys_bound_to_host', details: { passkeys, users, before: former, after: next } }]
}

/** Returns the host that passkeys are for: without an address the one that the browser shows. */
function hostOf(address: string): string {
  return address === '' ? '*' : new URL(address).hostname
}
