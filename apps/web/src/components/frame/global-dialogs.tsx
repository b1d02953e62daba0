import { lazy, Suspense } from 'react'
import { usePendingQuestion } from '../../lib/confirm.ts'
import { useManualCopy } from '../../lib/copy.ts'
import { useSignInAgain } from '../../lib/sign-in-again.ts'
import { useProofAsked } from '../../lib/step-up.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'

const ManualCopyDialog = lazy(() =>
  import('./manual-copy-dialog.tsx').then((module) => ({ default: module.ManualCopyDialog })),
)
const SignInAgain = lazy(() =>
  import('./sign-in-again.tsx').then((module) => ({ default: module.SignInAgain })),
)

const StepUp = lazy(() => import('./step-up.tsx').then((module) => ({ default: module.StepUp })))

/** Dialogs any page may ask for without drawing them itself; their code loads with the first one. */
export function GlobalDialogs() {
  const question = usePendingQuestion()
  const { text } = useManualCopy()
  const sessionOver = useSignInAgain()
  const proofAsked = useProofAsked()
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
      {proofAsked && <StepUp />}
      {sessionOver && <SignInAgain />}
    </Suspense>
  )
}
