import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../lib/crypto.ts'
import type { Store } from '../store/store.ts'

/** What a mailed code proves: that whoever has it reads that address. */
const purpose = 'verify-email'
const maximumAttempts = 5

interface Dependencies {
  readonly store: Pick<Store, 'oneTimeSecrets'>
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
}

/** Whether the code is the one that was mailed to the address; it is good once, and for five tries. */
export async function takeEmailCode(
  { store: { oneTimeSecrets }, vault, clock }: Dependencies,
  email: string,
  code: string,
): Promise<boolean> {
  const subject = email.trim().toLowerCase()
  const now = unixSeconds(clock)
  const tried = await oneTimeSecrets.attempt(purpose, subject, now, maximumAttempts)
  if (tried === undefined) return false
  return (await oneTimeSecrets.take(purpose, subject, vault.hash(code.trim()), now)) !== undefined
}
