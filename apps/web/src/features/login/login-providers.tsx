import { mutationOptions, useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls, type SessionUser } from '@tollgate/api'
import { Fingerprint } from 'lucide-react'
import { type FormEvent, type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TelegramButton, type TelegramIdentity } from '../../components/sign-in/telegram-button.tsx'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { addressOf, request } from '../../lib/api-client.ts'
import { useLocal } from '../../lib/local-store.ts'
import { signByPasskey, supportsPasskeys } from '../../lib/passkey.ts'
import { storeUser } from '../../lib/session.ts'
import { useStatus } from '../../lib/status.ts'

export interface LoginProvidersProps {
  readonly onLoggedIn: () => void
  readonly onCodeRequired: () => void
}

const wide = 'w-full'

/** Logging in without a password: the device's passkey, and the providers that the operator switched on. */
export function LoginProviders({ onLoggedIn, onCodeRequired }: LoginProvidersProps): ReactNode {
  const { t } = useTranslation('login')
  const status = useStatus()
  const aff = useLocal('aff') ?? undefined
  const [asking, setAsking] = useState<'wechat' | 'telegram'>()
  const close = () => setAsking(undefined)
  const providers = [
    status?.github_oauth && (['github', 'GitHub'] as const),
    status?.oidc_enabled && (['oidc', t('oidc')] as const),
    status?.linuxdo_oauth && (['linuxdo', 'LinuxDO'] as const),
  ].filter((entry) => entry !== undefined && entry !== false)
  return (
    <div className="flex flex-col gap-2 border-t pt-4">
      <PasskeyButton onLoggedIn={onLoggedIn} />
      {providers.map(([provider, name]) => (
        <a
          key={provider}
          href={addressOf(startSignIn, { params: { provider }, query: { aff } })}
          className={buttonClass('secondary', 'md', wide)}
        >
          {t('continueWith', { name })}
        </a>
      ))}
      {status?.wechat_login && (
        <Button className={wide} onClick={() => setAsking('wechat')}>
          {t('continueWith', { name: t('wechat.name') })}
        </Button>
      )}
      {status?.telegram_oauth && status.telegram_bot_name !== '' && (
        <Button className={wide} onClick={() => setAsking('telegram')}>
          {t('continueWith', { name: 'Telegram' })}
        </Button>
      )}
      <Suspense>
        {asking === 'wechat' && <WechatDialog onClose={close} onCodeRequired={onCodeRequired} />}
        {asking === 'telegram' && <TelegramDialog onClose={close} onCodeRequired={onCodeRequired} />}
      </Suspense>
    </div>
  )
}

/** Not called but opened: it sends the browser to the provider. */
const startSignIn = calls.oauth.start

const loginByWechat = mutationOptions({
  mutationFn: (code: string) => request(calls.oauth.wechat, { query: { code } }),
  meta: { silent: true },
})

const loginByTelegram = mutationOptions({
  mutationFn: (query: TelegramIdentity) => request(calls.oauth.telegramLogin, { query }),
  meta: { silent: true },
})

/** Lets the person choose a passkey; `null` when they would rather not. */
const loginByPasskey = mutationOptions({
  async mutationFn(): Promise<SessionUser | null> {
    const credential = await signByPasskey(await request(calls.passkeys.loginOptions))
    return credential ? request(calls.passkeys.login, { body: { credential } }) : null
  },
  meta: { silent: true },
})

/** The device says who is there; no second factor is asked for. */
function PasskeyButton({ onLoggedIn }: { readonly onLoggedIn: () => void }): ReactNode {
  const { t } = useTranslation('login')
  const { mutate, isPending, error } = useMutation({
    ...loginByPasskey,
    onSuccess(user) {
      if (!user) return
      storeUser(user)
      onLoggedIn()
    },
  })
  if (!supportsPasskeys()) return null
  return (
    <>
      <Button icon={Fingerprint} loading={isPending} className="w-full" onClick={() => mutate()}>
        {t('passkey')}
      </Button>
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error.message}
        </p>
      )}
    </>
  )
}

interface TelegramDialogProps {
  readonly onClose: () => void
  readonly onCodeRequired: () => void
}

/** Telegram says who is there, in a frame and a window of its own. */
function TelegramDialog({ onClose, onCodeRequired }: TelegramDialogProps): ReactNode {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const { mutate, error } = useMutation({
    ...loginByTelegram,
    onSuccess(response) {
      onClose()
      if ('require_2fa' in response) return onCodeRequired()
      storeUser(response)
      void navigate({ to: '/' })
    },
  })
  return (
    <Dialog open size="sm" onClose={onClose} title={t('telegram.title')} description={t('telegram.hint')}>
      <div className="flex flex-col gap-4">
        {error && <Notice tone="bad">{error.message}</Notice>}
        <TelegramButton onIdentity={mutate} />
      </div>
    </Dialog>
  )
}

interface WechatDialogProps {
  readonly onClose: () => void
  readonly onCodeRequired: () => void
}

/** The operator's account at WeChat answers those who follow it with a code. */
function WechatDialog({ onClose, onCodeRequired }: WechatDialogProps): ReactNode {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const picture = useStatus()?.wechat_qrcode
  const formId = useId()
  const [code, setCode] = useState('')
  const { mutate, isPending, error } = useMutation({
    ...loginByWechat,
    onSuccess(response) {
      onClose()
      if ('require_2fa' in response) return onCodeRequired()
      storeUser(response)
      void navigate({ to: '/' })
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (code.trim() !== '') mutate(code.trim())
  }

  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('wechat.title')}
      description={t('wechat.hint')}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          loading={isPending}
          disabled={code.trim() === ''}
        >
          {t('submit')}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {picture && (
          <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
        )}
        <Field label={t('code')} error={error?.message}>
          <Input name="code" autoFocus value={code} onChange={(event) => setCode(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
