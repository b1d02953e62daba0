import { calls, type User } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { useLogout } from '../../components/frame/use-logout.ts'
import { Card } from '../../components/ui/card.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { DialogButton } from './dialog-button.tsx'
import { TextDialog } from './form-dialog.tsx'

/** Deletes the account. The dialog asks for the account name, because nothing brings the account back. */
export function DeleteCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const logout = useLogout()
  const dialog = (close: () => void) => (
    <TextDialog
      title={t('delete.dialogTitle')}
      submitLabel={t('delete.submit')}
      danger
      onClose={close}
      fields={{
        name: { label: t('delete.name', { name: user.username }), input: { autoComplete: 'off' } },
      }}
      check={({ name }) => ({ name: name === user.username ? undefined : t('delete.wrongName') })}
      save={() => request(calls.accounts.deleteSelf)}
      successMessage={t('delete.done')}
      onSaved={logout}
    >
      <Notice tone="warn">{t('delete.warning')}</Notice>
    </TextDialog>
  )
  return (
    <Card
      title={t('delete.title')}
      description={t('delete.description')}
      action={
        <DialogButton variant="danger" dialog={dialog}>
          {t('delete.open')}
        </DialogButton>
      }
    />
  )
}
