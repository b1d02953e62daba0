import { useQueryClient } from '@tanstack/react-query'
import { calls, passwordMinLength } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { type Problems, TextField, useSaveForm } from '../../../components/form/index.ts'
import { request } from '../../../lib/api-client.ts'
import { sessionsQuery } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'

interface PasswordForm {
  readonly original: string
  readonly password: string
  readonly again: string
}

const blank: PasswordForm = { original: '', password: '', again: '' }

/** A new password, typed twice; the server asks for the one before. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()

  function check({ password, again }: PasswordForm): Problems<PasswordForm> {
    const isShort = [...password].length < passwordMinLength
    return {
      password: isShort ? t('password.short', { min: passwordMinLength }) : undefined,
      again: password === again ? undefined : t('password.mismatch'),
    }
  }

  const saveForm = useSaveForm<PasswordForm, unknown>({
    start: blank,
    check,
    fieldOf: {
      original_password_wrong: 'original',
      password_short: 'password',
      password_too_long: 'password',
    },
    save: ({ original, password }) =>
      request(calls.accounts.updateSelf, { body: { password, original_password: original } }),
    successMessage: t('password.done'),
    onSaved() {
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      onClose()
    },
  })
  const { form } = saveForm
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('password.change')}
      submitLabel={t('password.change')}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="original"
        label={t('password.original')}
        hint={t('password.originalHint')}
        secret
        input={{ autoComplete: 'current-password' }}
      />
      <TextField
        form={form}
        name="password"
        label={t('password.new')}
        hint={t('password.newHint', { min: passwordMinLength })}
        secret
        input={{ autoComplete: 'new-password' }}
      />
      <TextField
        form={form}
        name="again"
        label={t('password.again')}
        secret
        input={{ autoComplete: 'new-password' }}
      />
    </FormDialog>
  )
}
