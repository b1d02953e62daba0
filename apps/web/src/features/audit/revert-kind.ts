import { type AuditRecordRow, chargingOptions } from '@tollgate/api'
import type { ChangeKind } from '../../components/stops/index.ts'

type Act = Pick<AuditRecordRow, 'action' | 'target_name' | 'before'>

/** Returns the kind of change that taking a record back is; `undefined` where that charges nobody otherwise and stops nothing. */
export function revertKind({ action, target_name: name, before }: Act): ChangeKind | undefined {
  if (/^channel\.(update|enable|disable|drain|end-drain)$/.test(action)) return 'channels'
  if (action === 'model.price' || (action.startsWith('option.') && isCharging(name))) return 'price'
  if (action === 'group.create') return 'removed-group'
  if (action === 'group.update' && before.includes('"is_open":false')) return 'closed-group'
  return action === 'group.update' || action === 'group.remove' ? 'group' : undefined
}

function isCharging(key: string): boolean {
  return chargingOptions.some((known) => known === key)
}
