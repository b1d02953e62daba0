import type { RowOutcome } from '@tollgate/api'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

export interface OutcomesDialogProps {
  readonly title: string
  readonly outcomes: readonly RowOutcome[]
  readonly names: ReadonlyMap<number, string>
  readonly onClose: () => void
}

/** Shows the outcome for each row of a bulk call: first the refused ones, with the reasons. */
export function OutcomesDialog({ title, outcomes, names, onClose }: OutcomesDialogProps) {
  const { t } = useTranslation()
  const failed = outcomes.filter(({ success }) => !success)
  const done = outcomes.filter(({ success }) => success)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={done.length > 0 && t('list.othersDone', { count: done.length })}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <ul className="flex flex-col">
        {[...failed, ...done].map(({ id, success, message }) => (
          <li key={id} className="flex items-start gap-2.5 border-b py-1.5 last:border-b-0">
            <OutcomeIcon success={success} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{names.get(id) ?? `#${id}`}</span>
              {message !== '' && <span className="block break-words text-muted text-xs">{message}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function OutcomeIcon({ success }: { readonly success: boolean }) {
  const { t } = useTranslation()
  return success ? (
    <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-label={t('list.done')} />
  ) : (
    <CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-label={t('list.refused')} />
  )
}
