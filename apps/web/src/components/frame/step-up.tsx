import { useMutation, useQuery } from '@tanstack/react-query'
import { type CallData, calls } from '@tollgate/api'
import { Fingerprint } from 'lucide-react'
import { type FormEvent, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOf, request } from '../../lib/api/api-client.ts'
import { useStatus } from '../../lib/api/status.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { signByPasskey, supportsPasskeys } from '../../lib/session/passkey.ts'
import { endProof, startProviderProof } from '../../lib/session/reauthentication.ts'
import { useUser } from '../../lib/session/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field } from '../ui/field/field.tsx'
import { Input, PasswordInput } from '../ui/field/input.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { QueryBoundary } from '../ui/query-boundary.tsx'

const TelegramButton = lazyComponent(() => import('../sign-in/telegram-button.tsx'), 'TelegramButton')

type Ways = CallData<typeof calls.proofs.ways>
type Typed = 'password' | 'code' | 'wechat'

const waysQuery = {
  queryKey: ['proof', 'ways'],
  queryFn: () => request(calls.proofs.ways),
  gcTime: 0,
}

const proven = () => endProof(true)

/** The person proves once more who they are, by any of the ways that they have; the call that asked for it then goes on. */
export function StepUp(): ReactNode {
  const { t } = useTranslation(['login', 'stepUp'])
  return (
    <Dialog
      open
      size="sm"
      onClose={() => endProof(false)}
      title={t('stepUp:title')}
      description={t('stepUp:description')}
    >
      <div className="flex flex-col gap-4">
        <QueryBoundary query={useQuery(waysQuery)}>{(ways) => <WaysToProve ways={ways} />}</QueryBoundary>
      </div>
    </Dialog>
  )
}

/** One thing to type at a time, and everything else as a button. */
function WaysToProve({ ways }: { readonly ways: Ways }) {
  const { t } = useTranslation(['login', 'stepUp'])
  const typed = typedWays(ways)
  const [chosen, setChosen] = useState(typed[0])
  const isNone = typed.length === 0 && !ways.passkey && ways.providers.length === 0
  if (isNone) return <p className="text-muted text-sm">{t('stepUp:none')}</p>
  return (
    <>
      {chosen !== undefined && <TypedProof key={chosen} way={chosen} />}
      <div className="flex flex-col gap-2">
        {typed
          .filter((way) => way !== chosen)
          .map((way) => (
            <Button key={way} className="w-full" onClick={() => setChosen(way)}>
              {t(`stepUp:by.${way}`)}
            </Button>
          ))}
        {ways.passkey && supportsPasskeys() && <PasskeyProof />}
        <ProviderProofs providers={ways.providers} />
      </div>
    </>
  )
}

function typedWays({ password, code, providers }: Ways): readonly Typed[] {
  return [
    ...(password ? (['password'] as const) : []),
    ...(code ? (['code'] as const) : []),
    ...(providers.includes('wechat') ? (['wechat'] as const) : []),
  ]
}

function TypedProof({ way }: { readonly way: Typed }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (secret: string) => proveByTyping(way, secret),
    onSuccess: proven,
    meta: { silent: true },
  })
  return <SecretForm kind={way} onSubmit={mutate} isPending={isPending} error={error?.message} />
}

function proveByTyping(way: Typed, secret: string) {
  switch (way) {
    case 'password':
      return request(calls.proofs.byPassword, { body: { password: secret } })
    case 'code':
      return request(calls.proofs.byCode, { body: { code: secret } })
    case 'wechat':
      return request(calls.proofs.byWechat, { body: { code: secret } })
  }
}

function PasskeyProof() {
  const { t } = useTranslation(['login', 'stepUp'])
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const credential = await signByPasskey(await request(calls.proofs.passkeyOptions))
      if (credential) await request(calls.proofs.byPasskey, { body: { credential } })
      return credential !== undefined
    },
    onSuccess: (isProven) => isProven && proven(),
    meta: { silent: true },
  })
  return (
    <>
      <Button icon={Fingerprint} loading={isPending} className="w-full" onClick={() => mutate()}>
        {t('stepUp:by.passkey')}
      </Button>
      {error && <Failure message={error.message} />}
    </>
  )
}

const names = { github: 'GitHub', linuxdo: 'LinuxDO' } as const

/** Providers open in their own tab, so that the current page stays as it is. */
function ProviderProofs({ providers }: Pick<Ways, 'providers'>) {
  const { t } = useTranslation(['login', 'stepUp'])
  const telegram = useMutation({
    mutationFn: (body: Readonly<Record<string, string | number>>) =>
      request(calls.proofs.byTelegram, { body }),
    onSuccess: proven,
    meta: { silent: true },
  })
  return (
    <>
      {providers.map((provider) =>
        provider === 'github' || provider === 'oidc' || provider === 'linuxdo' ? (
          <a
            key={provider}
            href={addressOf(calls.oauth.start, { params: { provider } })}
            target="_blank"
            rel="noopener opener"
            onClick={() => startProviderProof(provider)}
            className={buttonClass('secondary', 'md', 'w-full')}
          >
            {t('continueWith', { name: provider === 'oidc' ? t('oidc') : names[provider] })}
          </a>
        ) : null,
      )}
      {providers.includes('telegram') && (
        <Suspense>
          <TelegramButton onIdentity={telegram.mutate} />
        </Suspense>
      )}
      {telegram.error && <Failure message={telegram.error.message} />}
    </>
  )
}

function Failure({ message }: { readonly message: string }) {
  return (
    <p role="alert" className="text-bad text-sm">
      {message}
    </p>
  )
}

interface SecretFormProps {
  readonly kind: 'password' | 'code' | 'wechat'
  readonly onSubmit: (secret: string) => void
  readonly isPending: boolean
  readonly error: string | undefined
}

/** One secret that proves the identity: the password, a code, or the code from WeChat. */
function SecretForm({ kind, onSubmit, isPending, error }: SecretFormProps) {
  const { t } = useTranslation(['login', 'stepUp'])
  const username = useUser()?.username ?? ''
  const picture = useStatus()?.wechat_qrcode
  const [secret, setSecret] = useState('')
  const isPassword = kind === 'password'
  const hints = { password: username, code: t('codeHint'), wechat: t('wechat.hint') } as const
  const control = {
    autoFocus: true,
    value: secret,
    onChange: (event: { readonly target: { readonly value: string } }) => setSecret(event.target.value),
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    if (secret !== '') onSubmit(isPassword ? secret : secret.trim())
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {/* Password managers look for the name beside the password. */}
      {isPassword && <input type="hidden" name="username" autoComplete="username" value={username} />}
      {kind === 'wechat' && picture && (
        <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
      )}
      <Field label={t(isPassword ? 'password' : 'code')} hint={hints[kind]} error={error}>
        {isPassword ? (
          <PasswordInput name="password" autoComplete="current-password" {...control} />
        ) : (
          <Input name="code" autoComplete="one-time-code" {...control} />
        )}
      </Field>
      <Button type="submit" variant="primary" loading={isPending} className="w-full">
        {t('stepUp:submit')}
      </Button>
    </form>
  )
}
