import { type OtherFault, otherFault, standardOther } from '@tollgate/api/channel-types'
import { Refusal } from '../../lib/refusal.ts'

const refusals = {
  'region-required': 'channel_region_required',
  'region-default-required': 'channel_region_default_required',
  'library-required': 'channel_library_required',
  'account-required': 'channel_account_required',
  'application-unknown': 'channel_application_unknown',
} as const satisfies Record<OtherFault, string>

/** What the free field means for some types (operations §3.2). Throws `Refusal` for what such a channel cannot use. */
export function readOther(other: string, type: number): string {
  const fault = otherFault(other, type)
  if (fault !== undefined) throw new Refusal(refusals[fault])
  return other === '' ? standardOther(type) : other
}
