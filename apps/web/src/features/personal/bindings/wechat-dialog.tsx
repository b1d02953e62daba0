import { useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../../components/form/index.ts'
import { request } from '../../../lib/api-client.ts'
import { useStatus } from '../../../lib/status.ts'
import { accountQuery } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'

interface WechatForm {
  readonly code: string
}

const blank: WechatForm = { code: '' }

/** The operator's account at WeChat answers those who follow it with a code. */
export function WechatDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const picture = useStatus()?.wechat_qrcode
  const saveForm = useSaveForm<WechatForm, unknown>({
    start: blank,
    check: ({ code }) => ({ code: code.trim() === '' ? t('wechat.codeMissing') : undefined }),
    fieldOf: { wechat_code_invalid: 'code' },
    save: ({ code }) => request(calls.oauth.wechatBind, { query: { code: code.trim() } }),
    successMessage: t('binding.bound', { name: t('provider.wechat') }),
    onSaved() {
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('wechat.title')}
      description={t('wechat.description')}
      submitLabel={t('wechat.submit')}
      onClose={onClose}
    >
      {picture && (
        <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
      )}
      <TextField
        form={saveForm.form}
        name="code"
        label={t('wechat.code')}
        input={{ autoComplete: 'one-time-code', mono: true }}
      />
    </FormDialog>
  )
}
