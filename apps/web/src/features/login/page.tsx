import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeForm } from '../../components/sign-in/code-form.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input, PasswordInput } from '../../components/ui/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { storeUser } from '../../lib/session.ts'
import { useLogo, useStatus, useSystemName } from '../../lib/status.ts'
import { login } from './api.ts'
import { localTarget } from './search.ts'

const route = getRouteApi('/plain/login')

export function LoginPage(): ReactNode {
  const { t } = useTranslation('login')
  const { expired } = route.useSearch()
  const status = useStatus()
  const systemName = useSystemName()
  const logo = useLogo()
  usePageTitle(t('title'))
  return (
    <div className="mx-auto flex w-full max-w-[360px] flex-1 flex-col justify-center px-4 py-10 sm:pb-[18dvh]">
      <img src={logo} alt="" className="mb-4 size-11 self-center rounded-lg object-contain" />
      <h1 className="mb-6 text-center font-semibold text-xl tracking-tight">
        {t('heading', { systemName })}
      </h1>
      {expired && (
        <Notice tone="warn" className="mb-4">
          {t('expired')}
        </Notice>
      )}
      {status?.password_login === false ? <Notice tone="info">{t('passwordOff')}</Notice> : <LoginForm />}
    </div>
  )
}

/** Password first; then, for people who have one, the second factor. */
function LoginForm() {
  const router = useRouter()
  const search = route.useSearch()
  const [asksCode, setAsksCode] = useState(false)
  const goOn = () => router.history.push(localTarget(search.redirect) ?? '/token')
  if (asksCode) return <CodeForm onLoggedIn={goOn} />
  return <PasswordForm onLoggedIn={goOn} onCodeAsked={() => setAsksCode(true)} />
}

interface PasswordFormProps {
  readonly onLoggedIn: () => void
  readonly onCodeAsked: () => void
}

function PasswordForm({ onLoggedIn, onCodeAsked }: PasswordFormProps) {
  const { t } = useTranslation('login')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [empty, setEmpty] = useState(false)
  const { mutateAsync, isPending, error, reset } = useMutation(login)
  const problem = empty ? t('empty') : error?.message

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    reset()
    const missing = username.trim() === '' || password === ''
    setEmpty(missing)
    if (missing) return
    const answer = await mutateAsync({ username: username.trim(), password }).catch(() => undefined)
    if (!answer) return
    if ('require_2fa' in answer) return onCodeAsked()
    storeUser(answer)
    onLoggedIn()
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <Field label={t('username')}>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
      <Field label={t('password')}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {problem && (
        <p role="alert" className="text-bad text-sm">
          {problem}
        </p>
      )}
      <Button type="submit" variant="primary" loading={isPending} className="w-full">
        {t('submit')}
      </Button>
    </form>
  )
}
