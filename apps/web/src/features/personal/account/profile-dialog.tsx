import { useQueryClient } from '@tanstack/react-query'
import { calls, type User } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../../components/form/index.ts'
import { request } from '../../../lib/api-client.ts'
import { currentUser, storeUser } from '../../../lib/session.ts'
import { accountQuery } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'

interface ProfileForm {
  readonly username: string
  readonly displayName: string
}

interface ProfileDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** The name one logs in with, and the one that is shown. */
export function ProfileDialog({ user, onClose }: ProfileDialogProps) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const { username, display_name: displayName } = user
  const saveForm = useSaveForm<ProfileForm, ProfileForm>({
    start: useMemo(() => ({ username, displayName }), [username, displayName]),
    check: (form) => ({ username: form.username.trim() === '' ? t('profile.usernameMissing') : undefined }),
    fieldOf: {
      username_invalid: 'username',
      username_taken: 'username',
      username_is_address: 'username',
      display_name_invalid: 'displayName',
    },
    save: async (form) => {
      const names = { username: form.username.trim(), display_name: form.displayName.trim() }
      await request(calls.accounts.updateSelf, { body: { ...names, password: '' } })
      return { username: names.username, displayName: names.display_name || displayName }
    },
    successMessage: t('profile.saved'),
    onSaved(saved) {
      const known = currentUser()
      if (known) storeUser({ ...known, username: saved.username, display_name: saved.displayName })
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('profile.title')}
      submitLabel={t('profile.submit')}
      onClose={onClose}
    >
      <TextField
        form={saveForm.form}
        name="username"
        label={t('profile.username')}
        hint={t('profile.usernameHint')}
        required
        input={{ autoComplete: 'username' }}
      />
      <TextField form={saveForm.form} name="displayName" label={t('profile.displayName')} />
    </FormDialog>
  )
}
