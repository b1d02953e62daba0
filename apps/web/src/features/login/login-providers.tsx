import { mutationOptions, useMutation } from '@tanstack/react-query'
import { calls, type SessionUser } from '@tollgate/api'
import { KeyRound } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { ErrorText } from '../../components/ui/field/field.tsx'
import { addressOf, request } from '../../lib/api/api-client.ts'
import { useStatus } from '../../lib/api/status.ts'
import { useLocal } from '../../lib/browser/local-store.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { signByPasskey, supportsPasskeys } from '../../lib/session/passkey.ts'
import { storeUser } from '../../lib/session/session.ts'

const TelegramDialog = lazyComponent(() => import('./login-dialogs.tsx'), 'TelegramDialog')
const WechatDialog = lazyComponent(() => import('./login-dialogs.tsx'), 'WechatDialog')

interface LoginProvidersProps {
  readonly onLoggedIn: () => void
  readonly onCodeRequired: () => void
}

const wide = 'w-full'

/** Logs in without a password: by passkey, or by a sign-in provider that the operator switched on. */
export function LoginProviders({ onLoggedIn, onCodeRequired }: LoginProvidersProps): ReactNode {
  const { t } = useTranslation('login')
  const status = useStatus()
  const aff = useLocal('aff') ?? undefined
  const [open, setOpen] = useState<'wechat' | 'telegram'>()
  const close = () => setOpen(undefined)
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
        <Button className={wide} onClick={() => setOpen('wechat')}>
          {t('continueWith', { name: t('wechat.name') })}
        </Button>
      )}
      {status?.telegram_oauth && status.telegram_bot_name !== '' && (
        <Button className={wide} onClick={() => setOpen('telegram')}>
          {t('continueWith', { name: 'Telegram' })}
        </Button>
      )}
      <Suspense>
        {open === 'wechat' && <WechatDialog onClose={close} onCodeRequired={onCodeRequired} />}
        {open === 'telegram' && <TelegramDialog onClose={close} onCodeRequired={onCodeRequired} />}
      </Suspense>
    </div>
  )
}

/** A link rather than a call: it sends the browser to the provider. */
const startSignIn = calls.oauth.start

/** Lets the person choose a passkey; `null` when they decline. */
const loginByPasskey = mutationOptions({
  async mutationFn(): Promise<SessionUser | null> {
    const credential = await signByPasskey(await request(calls.passkeys.loginOptions))
    return credential ? request(calls.passkeys.login, { body: { credential } }) : null
  },
  meta: { silent: true },
})

/** Logs in by passkey, which needs no second factor. */
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
      <Button icon={KeyRound} loading={isPending} className="w-full" onClick={() => mutate()}>
        {t('passkey')}
      </Button>
      <ErrorText className="text-sm">{error?.message}</ErrorText>
    </>
  )
}
