import { Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import type { LogExportControl } from './use-log-export.ts'

export interface ExportNoticeProps {
  readonly control: LogExportControl
  /** Rows under the filter. */
  readonly total: number
}

/** Shows the progress of an export, and the way to end it. */
export function ExportNotice({ control: { rows, cancel }, total }: ExportNoticeProps) {
  const { t } = useTranslation('logs')
  if (rows === undefined) return null
  const label = t('export.running')
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded bg-info-soft px-3 py-1.5 text-sm">
      <span>{label}</span>
      {/* Texts of several lines count as several rows until the end. */}
      <RunProgress done={Math.min(rows, total)} total={total} label={label} />
      <Button size="sm" icon={Square} className="ml-auto" onClick={cancel}>
        {t('export.cancel')}
      </Button>
    </div>
  )
}
