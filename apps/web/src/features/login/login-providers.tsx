import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { addressOf } from '../../lib/api-client.ts'
import { useLocal } from '../../lib/local-store.ts'
import { useStatus } from '../../lib/status.ts'
import { startSignIn } from './login-providers-api.ts'
import { PasskeyButton } from './passkey-button.tsx'

const WechatDialog = lazy(() =>
  import('./wechat-dialog.tsx').then((module) => ({ default: module.WechatDialog })),
)
const TelegramDialog = lazy(() =>
  import('./telegram-dialog.tsx').then((module) => ({ default: module.TelegramDialog })),
)

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
