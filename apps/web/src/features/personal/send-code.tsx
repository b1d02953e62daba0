import { useMutation } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ApiError, request } from '../../lib/api-client.ts'
import { useCountdown } from '../../lib/timers.ts'
import { toast } from '../../lib/toast.ts'

const resendSeconds = 30

export interface SendCodeProps {
  /** The address as it is typed now. */
  readonly email: () => string
  /** Why no code was sent: the field it is about, and the sentence. An empty one takes the last back. */
  readonly onProblem: (about: 'email' | 'code', message: string) => void
}

/** Mails a code to an address, to prove that it is read. Not again for half a minute. */
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
      const isAboutAddress = error instanceof ApiError && error.code.startsWith('email_')
      onProblem(isAboutAddress ? 'email' : 'code', error.message)
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
