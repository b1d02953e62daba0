import { lazy, Suspense } from 'react'
import { usePendingQuestion } from '../../lib/confirm.ts'
import { useManualCopy } from '../../lib/copy.ts'
import { useReauthentication } from '../../lib/reauthentication.ts'
import { useProofRequested } from '../../lib/step-up.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'

const ManualCopyDialog = lazy(() =>
  import('./manual-copy-dialog.tsx').then((module) => ({ default: module.ManualCopyDialog })),
)
const ReauthenticationDialog = lazy(() =>
  import('./reauthentication-dialog.tsx').then((module) => ({ default: module.ReauthenticationDialog })),
)

const StepUp = lazy(() => import('./step-up.tsx').then((module) => ({ default: module.StepUp })))

/** Dialogs any page may ask for without drawing them itself; their code loads with the first one. */
export function GlobalDialogs() {
  const question = usePendingQuestion()
  const { text } = useManualCopy()
  const sessionOver = useReauthentication()
  const proofRequested = useProofRequested()
  return (
    <Suspense>
      {question && (
        <ConfirmDialog
          open
          title={question.title}
          description={question.description}
          confirmLabel={question.confirmLabel}
          danger={question.danger ?? false}
          onCancel={() => question.answer(false)}
          onConfirm={() => question.answer(true)}
        />
      )}
      {text !== null && <ManualCopyDialog />}
      {proofRequested && <StepUp />}
      {sessionOver && <ReauthenticationDialog />}
    </Suspense>
  )
}
