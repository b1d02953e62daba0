import { calls, type User } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../components/form/index.ts'
import { useLogout } from '../../components/frame/use-logout.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api-client.ts'
import { FormDialog } from './form-dialog.tsx'

interface CardProps {
  readonly user: User
}

export function DeleteCard({ user }: CardProps) {
  const { t } = useTranslation('personal')
  const [asking, setAsking] = useState(false)
  return (
    <Card
      title={t('delete.title')}
      description={t('delete.description')}
      action={
        <Button size="sm" variant="danger" onClick={() => setAsking(true)}>
          {t('delete.open')}
        </Button>
      }
    >
      {asking && <DeleteDialog user={user} onClose={() => setAsking(false)} />}
    </Card>
  )
}

interface DeleteForm {
  readonly name: string
}

const blank: DeleteForm = { name: '' }

/** Asks for the account name, because nothing brings the account back. */
function DeleteDialog({ user, onClose }: CardProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const logout = useLogout()
  const saveForm = useSaveForm<DeleteForm, unknown>({
    start: blank,
    check: ({ name }) => ({ name: name === user.username ? undefined : t('delete.wrongName') }),
    save: () => request(calls.accounts.deleteSelf),
    successMessage: t('delete.done'),
    onSaved: logout,
  })
  return (
    <FormDialog
      saveForm={saveForm}
      title={t('delete.dialogTitle')}
      submitLabel={t('delete.submit')}
      danger
      onClose={onClose}
    >
      <Notice tone="warn">{t('delete.warning')}</Notice>
      <TextField
        form={saveForm.form}
        name="name"
        label={t('delete.name', { name: user.username })}
        input={{ autoComplete: 'off' }}
      />
    </FormDialog>
  )
}
