import { type Role, roles } from '@tollgate/api'
import { createAddressMatcher, parseAddressRange } from '../../../lib/outbound/addresses.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { SecondFactors } from './second-factor.ts'

interface Dependencies {
  readonly settings: SettingsReader
  readonly secondFactors: Pick<SecondFactors, 'isOn'>
}

/** Creates the checks that the operator demands of administrators, beside a way to log in. */
export function createAdminDuties({ settings, secondFactors }: Dependencies) {
  let ranges: readonly string[] = []
  let isInRange: (address: string) => boolean = () => true

  function matcher() {
    const { AdminAllowedRanges: current } = settings.current
    if (current !== ranges) {
      ranges = current
      isInRange = createAddressMatcher(current.flatMap((range) => parseAddressRange(range) ?? []))
    }
    return isInRange
  }

  return {
    /** Refuses an administrator who comes from an address that is not allowed to them. */
    refuseAddress(role: Role, address: string): void {
      if (roles[role] < roles.admin || settings.current.AdminAllowedRanges.length === 0) return
      if (!matcher()(address)) throw new Refusal('admin_address_not_allowed', { address })
    },
    /** Refuses an administrator without a second factor, where the operator demands one. */
    async refuseWithoutSecondFactor(userId: number): Promise<void> {
      if (!settings.current.AdminSecondFactorRequired || (await secondFactors.isOn(userId))) return
      throw new Refusal('admin_second_factor_required')
    },
  }
}

export type AdminDuties = ReturnType<typeof createAdminDuties>
