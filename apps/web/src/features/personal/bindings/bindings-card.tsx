import type { BindingProvider, User } from '@tollgate/api'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../components/ui/card.tsx'
import { useStatus } from '../../../lib/status.ts'
import { BindingRow } from './binding-row.tsx'
import { type Binding, bindingsOf } from './bindings.ts'
import { EmailDialog } from './email-dialog.tsx'
import { WechatDialog } from './wechat-dialog.tsx'

const TelegramDialog = lazy(() =>
  import('./telegram-dialog.tsx').then((module) => ({ default: module.TelegramDialog })),
)

/** The accounts outside that are one's own: to log in with, and to be written to. */
export function BindingsCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const status = useStatus()
  const [asking, setAsking] = useState<BindingProvider>()
  const close = () => setAsking(undefined)
  const bindings = bindingsOf(user, status)
  const isHere = ({ offered, identity }: Binding) => offered || identity !== ''
  const missing = bindings.filter((binding) => !isHere(binding))
  return (
    <Card title={t('binding.title')} description={t('binding.description')}>
      {bindings.filter(isHere).map((binding) => (
        <BindingRow key={binding.provider} binding={binding} onAsk={() => setAsking(binding.provider)} />
      ))}
      {missing.length > 0 && (
        <p className="mt-2.5 border-t pt-2.5 text-muted text-xs">
          {t('binding.off', { names: missing.map(({ provider }) => t(`provider.${provider}`)).join(', ') })}
        </p>
      )}
      {asking === 'email' && <EmailDialog onClose={close} />}
      {asking === 'wechat' && <WechatDialog onClose={close} />}
      {asking === 'telegram' && (
        <Suspense>
          <TelegramDialog onClose={close} />
        </Suspense>
      )}
    </Card>
  )
}
