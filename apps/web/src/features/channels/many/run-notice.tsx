import { Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import type { ChannelRunControl } from './use-channel-run.ts'

/** Shows the progress of a run over all channels, who started it, and the way to end it. */
export function RunNotice({ control }: { readonly control: ChannelRunControl }) {
  const { t } = useTranslation('channels')
  const { run, kind } = control
  if (run === undefined) return null
  const label = t(`run.${kind}Running`)
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded bg-info-soft px-3 py-1.5 text-sm">
      <span>{label}</span>
      <RunProgress done={run.done} total={run.total} label={label} />
      {run.failed > 0 && <span className="text-bad text-xs">{t('run.failed', { count: run.failed })}</span>}
      <span className="text-muted text-xs">
        {run.started_by === 'system' ? t('run.bySchedule') : t('run.by', { name: run.started_by })}
      </span>
      <Button
        size="sm"
        icon={Square}
        className="ml-auto"
        loading={control.cancelling}
        onClick={control.cancel}
      >
        {t('run.cancel')}
      </Button>
    </div>
  )
}
