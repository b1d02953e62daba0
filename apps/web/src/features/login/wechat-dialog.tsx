import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { storeUser } from '../../lib/session.ts'
import { useStatus } from '../../lib/status.ts'
import { loginByWechat } from './login-providers-api.ts'

export interface WechatDialogProps {
  readonly onClose: () => void
  readonly onCodeRequired: () => void
}

/** The operator's account at WeChat answers those who follow it with a code. */
export function WechatDialog({ onClose, onCodeRequired }: WechatDialogProps): ReactNode {
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
