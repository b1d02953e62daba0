import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import { type Passwords, refuseBadPassword } from '../login/passwords.ts'
import { revokeCredentials } from '../login/revoke-credentials.ts'

interface Dependencies extends Pick<Services, 'store' | 'auditLog' | 'vault' | 'clock'> {
  readonly passwords: Pick<Passwords, 'hash'>
}

interface Wish {
  readonly password: string
  /** Also their second factor and their passkeys. */
  readonly removesFactors: boolean
}

/**
 * Gives the super administrator a new password, and ends everything else that opens the account but a second factor. A
 * disabled one is enabled. Returns the name.
 * @throws Refusal when there is none, or for a password that nobody may have
 */
export async function resetRoot(
  { store, auditLog, vault, clock, passwords }: Dependencies,
  actor: Actor,
  { password, removesFactors }: Wish,
): Promise<string> {
  refuseBadPassword(password)
  const root = await store.users.findFirstRoot()
  if (root === undefined) throw new Refusal('record_not_found')
  const { id, username } = root
  const passwordHash = await passwords.hash(password)
  await store.transaction(async (tx) => {
    await tx.users.update(id, { passwordHash, status: 'enabled' })
    await revokeCredentials(tx, [id], 'password-replaced')
    // Wrong passwords of others must not keep the owner of the right one out.
    const tries = 'tried password'
    await tx.oneTimeSecrets.take(tries, vault.hash(`${tries} ${id}`), '', unixSeconds(clock))
    if (removesFactors) {
      await tx.secondFactors.delete(id)
      for (const passkey of await tx.passkeys.listOwn(id)) await tx.passkeys.deleteOwn(id, passkey.id)
    }
    const after = { password: 'changed', ...(removesFactors && { second_factor: false }) }
    await auditLog.record(
      actor,
      { action: 'user.reset-root', target: { kind: 'user', id, name: username }, after },
      tx,
    )
  })
  return username
}
