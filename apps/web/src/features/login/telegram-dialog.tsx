import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TelegramButton } from '../../components/sign-in/telegram-button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { storeUser } from '../../lib/session.ts'
import { loginByTelegram } from './login-providers-api.ts'

export interface TelegramDialogProps {
  readonly onClose: () => void
  readonly onCodeRequired: () => void
}

/** Telegram says who is there, in a frame and a window of its own. */
export function TelegramDialog({ onClose, onCodeRequired }: TelegramDialogProps): ReactNode {
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
