import { mutationOptions, useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TelegramButton } from '../../components/sign-in/telegram-button.tsx'
import type { TelegramIdentity } from '../../components/sign-in/telegram-message.ts'
import { Button } from '../../components/ui/button.tsx'
import { Field, Form } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useStatus } from '../../lib/api/status.ts'
import { storeUser } from '../../lib/session/session.ts'

const loginByWechat = mutationOptions({
  mutationFn: (code: string) => request(calls.oauth.wechat, { query: { code } }),
  meta: { silent: true },
})

const loginByTelegram = mutationOptions({
  mutationFn: (query: TelegramIdentity) => request(calls.oauth.telegramLogin, { query }),
  meta: { silent: true },
})

interface LoginDialogProps {
  readonly onClose: () => void
  readonly onCodeRequired: () => void
}

/** Logs in by Telegram, whose own button identifies the person in a frame. */
export function TelegramDialog({ onClose, onCodeRequired }: LoginDialogProps): ReactNode {
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

/** Logs in by the code that the operator's WeChat account sends to its followers. */
export function WechatDialog({ onClose, onCodeRequired }: LoginDialogProps): ReactNode {
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

  function submit(): void {
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
      <Form id={formId} onSubmit={submit}>
        {picture && (
          <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
        )}
        <Field label={t('code')} error={error?.message}>
          <Input name="code" autoFocus value={code} onChange={(event) => setCode(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  )
}
