import type { Channel } from '@tollgate/api'
import { ListChecks, Power, PowerOff, Square, Trash2, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { confirm } from '../../../lib/confirm.ts'
import { countOutcomes } from './run.ts'
import type { Bulk } from './use-bulk.ts'

export interface BulkActionsProps {
  readonly bulk: Bulk
  readonly channels: readonly Channel[]
}

/** Buttons of the bar under the table; while a run is on, how far it is. */
export function BulkActions({ bulk, channels }: BulkActionsProps) {
  const { t } = useTranslation('channels')

  async function remove(): Promise<void> {
    const sure = await confirm({
      title: t('bulk.deleteTitle', { count: channels.length }),
      description: t('delete.description'),
      confirmLabel: t('bulk.deleteConfirm', { count: channels.length }),
      danger: true,
    })
    if (sure) bulk.begin('delete', channels)
  }

  if (bulk.run?.active) return <RunningBar bulk={bulk} />
  return (
    <>
      <Button size="sm" icon={Zap} onClick={() => bulk.begin('test', channels)}>
        {t('bulk.test')}
      </Button>
      <Button size="sm" icon={Power} onClick={() => bulk.begin('enable', channels)}>
        {t('bulk.enable')}
      </Button>
      <Button size="sm" icon={PowerOff} onClick={() => bulk.begin('disable', channels)}>
        {t('bulk.disable')}
      </Button>
      <Button size="sm" variant="ghost" icon={Trash2} className="text-bad!" onClick={() => void remove()}>
        {t('bulk.delete')}
      </Button>
      <LastRun bulk={bulk} />
    </>
  )
}

function RunningBar({ bulk }: { readonly bulk: Bulk }) {
  const { t } = useTranslation('channels')
  if (!bulk.run) return null
  const { done, failed, total } = countOutcomes(bulk.run.outcomes)
  const label = t(`bulk.${bulk.run.kind}Running`)
  return (
    <>
      <span className="text-muted">{label}</span>
      <RunProgress done={done + failed} total={total} label={label} />
      {failed > 0 && <span className="text-bad text-xs">{t('bulk.failed', { count: failed })}</span>}
      <Button size="sm" variant="ghost" icon={ListChecks} onClick={() => bulk.setShowOutcomes(true)}>
        {t('bulk.outcomes')}
      </Button>
      <Button size="sm" icon={Square} onClick={bulk.stop}>
        {t('bulk.stop')}
      </Button>
    </>
  )
}

/** What became of the last run, a press away. */
function LastRun({ bulk }: { readonly bulk: Bulk }) {
  const { t } = useTranslation('channels')
  if (!bulk.run) return null
  const { done, failed } = countOutcomes(bulk.run.outcomes)
  return (
    <Button size="sm" variant="ghost" icon={ListChecks} onClick={() => bulk.setShowOutcomes(true)}>
      {t('bulk.summary', { done, failed })}
    </Button>
  )
}
