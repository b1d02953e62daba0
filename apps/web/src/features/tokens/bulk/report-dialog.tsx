import { CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import type { BulkReport } from './use-bulk.ts'

export interface ReportDialogProps {
  readonly report: BulkReport
  readonly onClose: () => void
}

/** Which keys of a run were refused, and why. */
export function ReportDialog({ report, onClose }: ReportDialogProps) {
  const { t } = useTranslation('tokens')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`bulk.${report.kind}Failed`, { count: report.failures.length })}
      description={report.done > 0 && t(`bulk.${report.kind}Done`, { count: report.done })}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('bulk.close')}
        </Button>
      }
    >
      <ul className="flex flex-col">
        {report.failures.map(({ item, error }) => (
          <li key={item.id} className="flex items-start gap-2.5 border-b py-1.5 last:border-b-0">
            <CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{item.name}</span>
              <span className="block break-words text-muted text-xs">{error.message}</span>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
