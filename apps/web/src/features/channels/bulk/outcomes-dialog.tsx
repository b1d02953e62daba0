import { Circle, CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { cx } from '../../../lib/cx.ts'
import { countOutcomes, type Outcome } from './run.ts'
import type { Bulk } from './use-bulk.ts'

/** What became of each channel of a run. */
export function OutcomesDialog({ bulk }: { readonly bulk: Bulk }) {
  const { t } = useTranslation('channels')
  const { run } = bulk
  const count = run && countOutcomes(run.outcomes)
  const close = () => bulk.setShowOutcomes(false)
  return (
    <Dialog
      open={run !== undefined}
      onClose={close}
      title={run && t(`bulk.${run.kind}Outcomes`)}
      description={
        count &&
        run && (
          <span className="flex items-center gap-3">
            {t('bulk.summary', { done: count.done, failed: count.failed })}
            {run.active && (
              <RunProgress
                done={count.done + count.failed}
                total={count.total}
                label={t(`bulk.${run.kind}Running`)}
              />
            )}
          </span>
        )
      }
      footer={
        <>
          {run?.active && <Button onClick={bulk.stop}>{t('bulk.stop')}</Button>}
          {run && !run.active && count && count.failed > 0 && (
            <Button onClick={bulk.again}>{t('bulk.again', { count: count.failed })}</Button>
          )}
          <Button variant="primary" onClick={close}>
            {t('bulk.close')}
          </Button>
        </>
      }
    >
      <ul className="flex flex-col">
        {run?.targets.map(({ id, name }) => (
          <li key={id} className="flex items-center gap-2.5 border-b py-1.5 last:border-b-0">
            <OutcomeIcon outcome={run.outcomes.get(id)} />
            <span className="min-w-0 flex-1">
              <span className="block truncate">
                {name} <span className="text-muted text-xs">#{id}</span>
              </span>
              <FailureText outcome={run.outcomes.get(id)} />
            </span>
            <OutcomeNote outcome={run.outcomes.get(id)} active={run.active} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const icons = { waiting: Circle, running: LoaderCircle, done: CircleCheck, failed: CircleX } as const
const colours = {
  waiting: 'text-faint',
  running: 'animate-spin text-muted',
  done: 'text-good',
  failed: 'text-bad',
}

export function OutcomeIcon({ outcome }: { readonly outcome: Outcome | undefined }) {
  const state = outcome?.state ?? 'waiting'
  const Icon = icons[state]
  return <Icon className={cx('size-4 shrink-0', colours[state])} aria-hidden />
}

export function FailureText({ outcome }: { readonly outcome: Outcome | undefined }) {
  if (outcome?.state !== 'failed') return null
  return <span className="block break-words text-bad text-xs">{outcome.message}</span>
}

function OutcomeNote({
  outcome,
  active,
}: {
  readonly outcome: Outcome | undefined
  readonly active: boolean
}) {
  const { t } = useTranslation('channels')
  const state = outcome?.state ?? 'waiting'
  if (outcome?.state === 'done' && outcome.note)
    return <span className="figures text-good">{outcome.note}</span>
  return (
    <span className="text-muted text-xs">
      {t(`bulk.state.${state === 'waiting' && !active ? 'skipped' : state}`)}
    </span>
  )
}
