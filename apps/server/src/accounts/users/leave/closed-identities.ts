import type { BindingProvider } from '@tollgate/api'
import type { Store } from '../../../store/store.ts'

/** An account that signs in with an identity which its provider has no more. */
export interface ClosedIdentity {
  readonly id: number
  readonly username: string
  readonly identity: string
  /** Keys that work, whoever holds them. */
  readonly keys: number
}

/**
 * Compares the bound identities of a provider with those that it says are open: who left there is named here, because their keys
 * go on working.
 * @param open the subjects (addresses of mail) that the provider lists
 */
export async function findClosedIdentities(
  { people }: Pick<Store, 'people'>,
  provider: BindingProvider,
  open: readonly string[],
): Promise<readonly ClosedIdentity[]> {
  const known = new Set(open.map((subject) => comparable(provider, subject)))
  return (await people.bound(provider)).filter(({ identity }) => !known.has(comparable(provider, identity)))
}

/** Returns a subject for comparison; addresses are compared without the case of their letters. */
function comparable(provider: BindingProvider, subject: string): string {
  return provider === 'email' ? subject.trim().toLowerCase() : subject.trim()
}
