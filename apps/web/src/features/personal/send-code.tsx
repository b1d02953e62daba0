import { useMutation } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ApiError, request } from '../../lib/api/api-client.ts'
import { useCountdown } from '../../lib/browser/timers.ts'
import { toast } from '../../lib/toast.ts'

const resendSeconds = 30

interface SendCodeProps {
  /** The address as typed now. */
  readonly email: () => string
  /** Receives the field and the reason when no code was sent; an empty reason clears the last one. */
  readonly onProblem: (field: 'email' | 'code', message: string) => void
}

/** Mails a code that proves an address. The button waits half a minute before it can send again. */
export function SendCode({ email, onProblem }: SendCodeProps) {
  const { t } = useTranslation('personal')
  const check = useHumanCheck()
  const { left, start } = useCountdown(resendSeconds)
  const { mutate, isPending } = useMutation({
    mutationFn: (query: { readonly email: string; readonly turnstile: string }) =>
      request(calls.accounts.sendVerificationCode, { query }),
    meta: { silent: true },
    onSuccess(_, sent) {
      start()
      toast.success(t('code.sent', { email: sent.email }))
    },
    onError(error) {
      const concernsAddress = error instanceof ApiError && error.code.startsWith('email_')
      onProblem(concernsAddress ? 'email' : 'code', error.message)
    },
    onSettled: check.renew,
  })

  function send(): void {
    const address = email().trim()
    onProblem('code', '')
    if (address === '') onProblem('email', t('email.missing'))
    else if (!check.passed) onProblem('code', t('code.checkPending'))
    else mutate({ email: address, turnstile: check.response })
  }

  return (
    <>
      {check.widget}
      <Button loading={isPending} disabled={left > 0} onClick={send} className="figures self-start">
        {left > 0 ? t('code.again', { seconds: left }) : t('code.send')}
      </Button>
    </>
  )
}
