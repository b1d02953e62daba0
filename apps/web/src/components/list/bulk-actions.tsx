import type { RowOutcome } from '@tollgate/api'
import type { LucideIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirm, type Question } from '../../lib/confirm.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../ui/button.tsx'

const OutcomesDialog = lazyComponent(() => import('./outcomes-dialog.tsx'), 'OutcomesDialog')

/** Something that can be done to many rows by one call. Texts are already translated. */
export interface BulkAction {
  readonly id: string
  /** The verb on the button. */
  readonly label: string
  readonly icon: LucideIcon
  readonly danger?: boolean
  /** Asked first, where it cannot be taken back. */
  readonly question?: (count: number) => Question
  /** One call for all rows; resolves with the outcome of each, or nothing when the user cancels. */
  readonly run: (ids: readonly number[]) => Promise<readonly RowOutcome[] | undefined>
  /** Said when all of them worked: "3 keys deleted"; absent where `run` says it, with a way back. */
  readonly done?: (count: number) => string
  /** Heading of what did not work: "2 keys could not be deleted". */
  readonly failed: (count: number) => string
}

export interface BulkActionsProps {
  readonly actions: readonly BulkAction[]
  /** The chosen rows, with the names that their outcomes show. */
  readonly chosen: readonly { readonly id: number; readonly name: string }[]
  /** Receives the rows that are still pending. */
  readonly onDone: (failed: readonly number[]) => void
}

interface Report {
  readonly title: string
  readonly outcomes: readonly RowOutcome[]
  readonly names: ReadonlyMap<number, string>
}

/** Buttons of the bar under a table, one call each, and what became of the rows. */
export function BulkActions({ actions, chosen, onDone }: BulkActionsProps) {
  const { t } = useTranslation()
  const [running, setRunning] = useState<string>()
  const [report, setReport] = useState<Report>()

  async function start(action: BulkAction): Promise<void> {
    if (action.question && !(await confirm(action.question(chosen.length)))) return
    setRunning(action.id)
    try {
      const outcomes = await action.run(chosen.map(({ id }) => id))
      if (outcomes) tell(action, outcomes)
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setRunning(undefined)
    }
  }

  function tell(action: BulkAction, outcomes: readonly RowOutcome[]): void {
    const failed = outcomes.filter(({ success }) => !success)
    if (failed.length === 0) {
      if (action.done) toast.success(action.done(outcomes.length))
    } else {
      const names = new Map(chosen.map(({ id, name }) => [id, name]))
      setReport({ title: action.failed(failed.length), outcomes, names })
    }
    onDone(failed.map(({ id }) => id))
  }

  return (
    <>
      {actions.map((action) => (
        <Button
          key={action.id}
          size="sm"
          icon={action.icon}
          loading={running === action.id}
          disabled={running !== undefined}
          {...(action.danger && { variant: 'ghost' as const, className: 'text-bad!' })}
          onClick={() => void start(action)}
        >
          {action.label}
        </Button>
      ))}
      {running !== undefined && <span className="sr-only">{t('list.running')}</span>}
      <Suspense>{report && <OutcomesDialog {...report} onClose={() => setReport(undefined)} />}</Suspense>
    </>
  )
}
