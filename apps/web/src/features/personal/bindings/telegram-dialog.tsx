import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { TelegramButton, type TelegramIdentity } from '../../../components/sign-in/telegram-button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api-client.ts'
import { accountQuery } from '../api.ts'

/** Telegram says who one is, in a frame and a window of its own. */
export function TelegramDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const { mutate, error } = useMutation({
    mutationFn: (body: TelegramIdentity) => request(calls.oauth.telegramBindPost, { body }),
    meta: { silent: true, successMessage: t('binding.bound', { name: t('provider.telegram') }) },
    onSuccess() {
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('telegram.title')}
      description={t('telegram.description')}
    >
      <div className="flex flex-col gap-4">
        {error && <Notice tone="bad">{error.message}</Notice>}
        <TelegramButton onIdentity={mutate} />
      </div>
    </Dialog>
  )
}
