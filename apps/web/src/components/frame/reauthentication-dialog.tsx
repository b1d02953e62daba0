import { useMutation } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { request } from '../../lib/api/api-client.ts'
import { useStatus } from '../../lib/api/status.ts'
import { endReauthentication } from '../../lib/session/reauthentication.ts'
import { storeUser, useUser } from '../../lib/session/session.ts'
import { CodeStep } from '../sign-in/code-step.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field/field.tsx'
import { PasswordInput } from '../ui/field/input.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

/**
 * The session ended under something typed: the same person logs in again over it, and goes on. Closing it leaves what
 * was typed where it is; the next call asks again.
 */
export function ReauthenticationDialog(): ReactNode {
  const { t } = useTranslation('shell')
  const status = useStatus()
  const [asksCode, setAsksCode] = useState(false)
  const content = useRef<HTMLDivElement>(null)
  // The check that one is a person loads its widget from elsewhere, which only the login page may.
  const takesPassword = status?.password_login !== false && status?.turnstile_check !== true
  return (
    <Dialog
      open
      size="sm"
      onClose={endReauthentication}
      title={t('session.title')}
      description={t('session.description')}
      initialFocus={() => content.current?.querySelector('input')}
    >
      <div ref={content} className="flex flex-col gap-4">
        {asksCode ? (
          <Suspense>
            <CodeStep onLoggedIn={endReauthentication} />
          </Suspense>
        ) : (
          takesPassword && <PasswordForm onCodeRequired={() => setAsksCode(true)} />
        )}
        <a
          href="/login?expired=true"
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center justify-center gap-1.5 py-1 text-accent-text text-sm hover:underline"
        >
          {t('session.otherWay')}
          <ExternalLink className="size-3.5" aria-hidden />
        </a>
      </div>
    </Dialog>
  )
}

function PasswordForm({ onCodeRequired }: { readonly onCodeRequired: () => void }) {
  const { t } = useTranslation('login')
  const username = useUser()?.username ?? ''
  const [password, setPassword] = useState('')
  const login = useMutation({
    mutationFn: () => request(calls.users.login, { query: {}, body: { username, password } }),
    onSuccess: (response) => {
      if ('require_2fa' in response) return onCodeRequired()
      storeUser(response)
      endReauthentication()
    },
    meta: { silent: true },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (password !== '') login.mutate()
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {/* Password managers look for the name beside the password. */}
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <Field label={t('password')} hint={username} error={login.error?.message}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" loading={login.isPending} className="w-full">
        {t('submit')}
      </Button>
    </form>
  )
}
