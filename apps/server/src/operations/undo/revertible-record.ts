import { isRevertible, type PartHolder, type RevertibleAction } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import { refuseOver } from '../../records/audit-log/audit-log.ts'
import { getAuditRecord } from '../../records/audit-log/audit-pages.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'

/**
 * Returns a record that its reader may take back. Throws `Refusal` where the reader may not see it, nothing of its kind is taken back, or another act
 * has ended that.
 */
export async function getRevertible(
  { store }: { readonly store: Pick<Store, 'auditLog'> },
  reader: PartHolder,
  id: number,
): Promise<{ readonly record: AuditRecord; readonly action: RevertibleAction }> {
  const record = await getAuditRecord({ store }, reader, id)
  const { action } = record
  if (!isRevertible(action)) throw new Refusal('audit_not_revertible')
  await refuseOver(store, record)
  return { record, action }
}
