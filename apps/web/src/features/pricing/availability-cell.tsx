import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ListedRow } from './price-list.ts'

/** Whether a call in the group that is shown would be served, and why it would not. */
export function AvailabilityCell({ row, group }: { readonly row: ListedRow; readonly group: string }) {
  const { t } = useTranslation('pricing')
  if (row.isServed)
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap align-middle">
        <Check className="size-3.5 shrink-0 text-good" aria-hidden />
        {t('available.yes')}
      </span>
    )
  const reason = row.enable_groups.includes(group) ? t('available.notNow') : t('available.no', { group })
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle text-muted" title={reason}>
      <X className="size-3.5 shrink-0 text-bad" aria-hidden />
      <span className="max-w-40 truncate">{reason}</span>
    </span>
  )
}
