import type { Token } from '@tollgate/api'
import { Power, PowerOff, Square, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { keyLines } from '../keys.ts'
import type { Bulk } from './use-bulk.ts'

export interface BulkActionsProps {
  readonly bulk: Bulk
  readonly tokens: readonly Token[]
}

/** Buttons of the bar under the table; while a run is on, how far it is. */
export function BulkActions({ bulk, tokens }: BulkActionsProps) {
  const { t } = useTranslation('tokens')
  const { state } = bulk.run
  if (state) {
    const label = t(`bulk.${bulk.kind}Running`)
    return (
      <>
        <span className="text-muted">{label}</span>
        <RunProgress {...state} label={label} />
        <Button size="sm" icon={Square} onClick={bulk.run.stop}>
          {t('bulk.stop')}
        </Button>
      </>
    )
  }
  return (
    <>
      <CopyButton withText value={keyLines(tokens)} label={t('bulk.copy')} />
      <Button size="sm" icon={Power} onClick={() => bulk.begin('enable', tokens)}>
        {t('bulk.enable')}
      </Button>
      <Button size="sm" icon={PowerOff} onClick={() => bulk.begin('disable', tokens)}>
        {t('bulk.disable')}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        icon={Trash2}
        className="text-bad!"
        onClick={() => void bulk.deleteAll(tokens)}
      >
        {t('action.delete')}
      </Button>
    </>
  )
}
