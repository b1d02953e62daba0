import type { BindingProvider, User } from '@tollgate/api'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../components/ui/card.tsx'
import { useStatus } from '../../../lib/status.ts'
import { BindingRow } from './binding-row.tsx'
import { bindingsOf } from './bindings.ts'
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
  return (
    <Card title={t('binding.title')} description={t('binding.description')}>
      {bindingsOf(user, status).map((binding) => (
        <BindingRow key={binding.provider} binding={binding} onAsk={() => setAsking(binding.provider)} />
      ))}
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
