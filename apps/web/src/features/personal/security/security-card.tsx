import { useQueryClient } from '@tanstack/react-query'
import { calls, passwordMinLength } from '@tollgate/api'
import { accountRefusedFields } from '@tollgate/api/refused-fields'
import { useTranslation } from 'react-i18next'
import { fieldsByCode } from '../../../components/form/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { copyText } from '../../../lib/browser/copy.ts'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { toast } from '../../../lib/toast.ts'
import { accessTokensQuery, sessionsQuery } from '../api.ts'
import { DialogButton } from '../dialog-button.tsx'
import { TextDialog } from '../form-dialog.tsx'
import { SettingRow } from '../setting-row.tsx'
import { SecondFactorRow } from './second-factor-row.tsx'
import { SecretDialog } from './secret-dialog.tsx'

/** Password, second factor and access token. */
export function SecurityCard() {
  const { t } = useTranslation('personal')
  return (
    <Card title={t('security.title')}>
      <SettingRow
        title={t('password.title')}
        description={t('password.description')}
        actions={
          <DialogButton dialog={(close) => <PasswordDialog onClose={close} />}>
            {t('password.change')}
          </DialogButton>
        }
      />
      <SecondFactorRow />
      <AccessTokenRow />
    </Card>
  )
}

/** The token for programs that manage the account. It is shown once, because the server keeps only its hash. */
function AccessTokenRow() {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const { run, data, isPending, reset } = useConfirmedMutation(
    {
      title: t('accessToken.askTitle'),
      description: t('accessToken.askDescription'),
      confirmLabel: t('accessToken.create'),
    },
    {
      mutationFn: () => request(calls.accounts.createAccessTokenByGet),
      async onSuccess(token) {
        void client.invalidateQueries({ queryKey: accessTokensQuery.queryKey })
        if (await copyText(token)) toast.success(t('accessToken.copied'))
      },
      gcTime: 0,
    },
  )
  return (
    <>
      <SettingRow
        title={t('accessToken.title')}
        description={t('accessToken.description')}
        actions={
          <Button size="sm" loading={isPending} onClick={run}>
            {t('accessToken.create')}
          </Button>
        }
      />
      {data !== undefined && <SecretDialog title={t('accessToken.title')} token={data} onClose={reset} />}
    </>
  )
}

/** Changes the password. The server asks for the current one, unless the person has just logged in. */
function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const min = passwordMinLength
  return (
    <TextDialog
      size="sm"
      title={t('password.change')}
      submitLabel={t('password.change')}
      onClose={onClose}
      fields={{
        original: {
          label: t('password.original'),
          hint: t('password.originalHint'),
          secret: true,
          input: { autoComplete: 'current-password' },
        },
        password: {
          label: t('password.new'),
          hint: t('password.newHint', { min }),
          secret: true,
          input: { autoComplete: 'new-password' },
        },
        again: { label: t('password.again'), secret: true, input: { autoComplete: 'new-password' } },
      }}
      check={({ password, again }) => ({
        password: [...password].length < min ? t('password.short', { min }) : undefined,
        again: password === again ? undefined : t('password.mismatch'),
      })}
      fieldOf={fieldsByCode(accountRefusedFields, { original_password: 'original', password: 'password' })}
      save={({ original, password }) =>
        request(calls.accounts.updateSelf, { body: { password, original_password: original } })
      }
      successMessage={t('password.done')}
      changes={sessionsQuery}
    />
  )
}
