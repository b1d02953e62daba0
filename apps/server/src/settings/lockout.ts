import { createAddressMatcher, parseAddressRange } from '../lib/outbound/addresses.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Actor } from '../records/audit-log/audit-log.ts'
import type { Store } from '../store/store.ts'
import type { CheckedChange } from './settings.ts'

/** Refuses changes that would keep the administrator who makes them from taking them back. */
export async function refuseLockout(
  actor: Actor,
  changes: readonly CheckedChange[],
  tx: Pick<Store, 'secondFactors'>,
): Promise<void> {
  for (const { key, after } of changes) {
    if (key === 'AdminAllowedRanges' && Array.isArray(after)) refuseOwnAddress(actor, after)
    const isRequired = key === 'AdminSecondFactorRequired' && after === true
    if (isRequired && (await tx.secondFactors.find(actor.userId)) === undefined)
      throw new Refusal('option_needs_own_second_factor')
  }
}

function refuseOwnAddress({ address }: Actor, ranges: readonly string[]): void {
  const isAllowed = createAddressMatcher(ranges.flatMap((range) => parseAddressRange(range) ?? []))
  if (ranges.length > 0 && !isAllowed(address)) throw new Refusal('option_excludes_own_address', { address })
}
