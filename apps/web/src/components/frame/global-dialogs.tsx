import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useManualCopy } from '../../lib/browser/copy.ts'
import { type Question, usePendingQuestion } from '../../lib/confirm.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { usePendingConsent } from '../../lib/session/consent.ts'
import { useProofRequested, useReauthentication } from '../../lib/session/reauthentication.ts'
import { Textarea } from '../ui/field/input.tsx'
import { ConfirmDialog, Dialog } from '../ui/overlay/dialog.tsx'

const ReauthenticationDialog = lazyComponent(
  () => import('./reauthentication-dialog.tsx'),
  'ReauthenticationDialog',
)

const ConsentDialog = lazyComponent(() => import('./consent-dialog.tsx'), 'ConsentDialog')

const StepUp = lazyComponent(() => import('./step-up.tsx'), 'StepUp')

/** Dialogs any page may ask for without drawing them itself; their code loads with the first one. */
export function GlobalDialogs() {
  const question = usePendingQuestion()
  const { text } = useManualCopy()
  const sessionOver = useReauthentication()
  const proofRequested = useProofRequested()
  const consent = usePendingConsent()
  return (
    <Suspense>
      {question && (
        <ConfirmDialog
          open
          title={question.title}
          description={
            <>
              <span className="whitespace-pre-line">{question.description}</span>
              {question.more && <More {...question.more} />}
            </>
          }
          confirmLabel={question.confirmLabel}
          danger={question.danger ?? false}
          onCancel={() => question.answer(false)}
          onConfirm={() => question.answer(true)}
        />
      )}
      {text !== null && <ManualCopyDialog />}
      {consent && <ConsentDialog key={consent.request.confirmation} pending={consent} />}
      {proofRequested && <StepUp />}
      {sessionOver && <ReauthenticationDialog />}
    </Suspense>
  )
}

/** Unfolds what a question has no room for. */
function More({ label, lines }: NonNullable<Question['more']>) {
  return (
    <details className="mt-2">
      <summary className="cursor-pointer text-text">{label}</summary>
      <ul className="mt-1 max-h-48 overflow-y-auto">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
          <li key={index} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Shown when the browser allows no copying: the text, to be selected and copied by hand. */
function ManualCopyDialog() {
  const { t } = useTranslation()
  const { text, close } = useManualCopy()
  return (
    <Dialog open onClose={close} title={t('copy.manualTitle')} description={t('copy.manual')}>
      <Textarea
        mono
        readOnly
        value={text ?? ''}
        aria-label={t('copy.manualTitle')}
        onFocus={(event) => event.target.select()}
        autoFocus
      />
    </Dialog>
  )
}
