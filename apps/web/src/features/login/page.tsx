import { mutationOptions, useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import { type FormEvent, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { CodeStep } from '../../components/sign-in/code-step.ts'
import { useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input, PasswordInput } from '../../components/ui/field/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { canRegister, useStatus, useSystemName } from '../../lib/api/status.ts'
import { storeUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { LoginProviders } from './login-providers.tsx'
import { localTarget } from './search.ts'

const route = getRouteApi('/plain/login')

export function LoginPage(): ReactNode {
  const { t } = useTranslation('login')
  const { expired, error } = route.useSearch()
  const systemName = useSystemName()
  return (
    <AuthLayout
      title={t('title')}
      heading={t('heading', { systemName })}
      notice={
        expired ? (
          <Notice tone="warn">{t('expired')}</Notice>
        ) : (
          error && <Notice tone="bad">{t('providerFailed', { code: error })}</Notice>
        )
      }
      links={<LoginLinks />}
    >
      <LoginSteps />
    </AuthLayout>
  )
}

function LoginLinks() {
  const { t } = useTranslation('login')
  const status = useStatus()
  return (
    <>
      {canRegister(status) && (
        <Link to="/register" className={authLink}>
          {t('toRegister')}
        </Link>
      )}
      {status?.password_login !== false && (
        <Link to="/reset" className={authLink}>
          {t('toReset')}
        </Link>
      )}
    </>
  )
}

/** Credentials that installations of this kind were once delivered with; an imported one may still have them. */
const defaultCredentials = { username: 'root', password: '123456' } as const

/** Password first, or one of the other ways; then, for people who have one, the second factor. */
function LoginSteps() {
  const { t } = useTranslation('login')
  const router = useRouter()
  const status = useStatus()
  const search = route.useSearch()
  const [asksCode, setAsksCode] = useState(false)
  const goOn = () => router.history.push(localTarget(search.redirect) ?? '/token')
  if (asksCode)
    return (
      <Suspense>
        <CodeStep onLoggedIn={goOn} />
      </Suspense>
    )
  return (
    <div className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      {status?.password_login === false ? (
        <Notice tone="info">{t('passwordOff')}</Notice>
      ) : (
        <PasswordForm onLoggedIn={goOn} onCodeRequired={() => setAsksCode(true)} />
      )}
      <LoginProviders onLoggedIn={goOn} onCodeRequired={() => setAsksCode(true)} />
    </div>
  )
}

interface PasswordFormProps {
  readonly onLoggedIn: () => void
  readonly onCodeRequired: () => void
}

function PasswordForm({ onLoggedIn, onCodeRequired }: PasswordFormProps) {
  const { t } = useTranslation('login')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<'empty' | 'checkPending'>()
  const check = useHumanCheck()
  const { mutateAsync, isPending, error, reset } = useMutation({ ...login, onSettled: check.renew })
  const problem = missing ? t(missing) : error?.message

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    reset()
    const isEmpty = username.trim() === '' || password === ''
    const found = isEmpty ? 'empty' : check.passed ? undefined : 'checkPending'
    setMissing(found)
    if (found) return
    const credentials = { username: username.trim(), password, turnstile: check.response }
    const response = await mutateAsync(credentials).catch(() => undefined)
    if (!response) return
    if (username.trim() === defaultCredentials.username && password === defaultCredentials.password)
      toast.warning(t('defaultPassword'))
    if ('require_2fa' in response) return onCodeRequired()
    storeUser(response)
    onLoggedIn()
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t('username')}>
        <Input
          name="username"
          autoComplete="username"
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
      {check.widget}
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

interface Credentials {
  readonly username: string
  readonly password: string
  readonly turnstile: string
}

const login = mutationOptions({
  mutationFn: ({ turnstile, ...body }: Credentials) =>
    request(calls.users.login, { query: { turnstile }, body }),
  meta: { silent: true },
})
