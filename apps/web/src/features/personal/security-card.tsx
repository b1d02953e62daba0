import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, passwordMinLength } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Problems, TextField, useSaveForm } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api-client.ts'
import { confirm } from '../../lib/confirm.ts'
import { copyText } from '../../lib/copy.ts'
import { toast } from '../../lib/toast.ts'
import { sessionsQuery } from './api.ts'
import { FormDialog } from './form-dialog.tsx'
import { SecondFactorRow } from './second-factor-row.tsx'
import { SettingRow } from './setting-row.tsx'

/** What opens the account, apart from accounts elsewhere. */
export function SecurityCard() {
  const { t } = useTranslation('personal')
  const [changing, setChanging] = useState(false)
  return (
    <Card title={t('security.title')}>
      <SettingRow
        title={t('password.title')}
        description={t('password.description')}
        actions={
          <Button size="sm" onClick={() => setChanging(true)}>
            {t('password.change')}
          </Button>
        }
      />
      <SecondFactorRow />
      <AccessTokenRow />
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </Card>
  )
}

/** The token by which programs manage the account. Seen once: the server keeps its hash. */
function AccessTokenRow() {
  const { t } = useTranslation('personal')
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => request(calls.accounts.createAccessTokenByGet),
    async onSuccess(token) {
      if (await copyText(token)) toast.success(t('accessToken.copied'))
    },
    gcTime: 0,
  })

  async function create(): Promise<void> {
    const isSure = await confirm({
      title: t('accessToken.askTitle'),
      description: t('accessToken.askDescription'),
      confirmLabel: t('accessToken.create'),
    })
    if (isSure) mutate()
  }

  return (
    <>
      <SettingRow
        title={t('accessToken.title')}
        description={t('accessToken.description')}
        actions={
          <Button size="sm" loading={isPending} onClick={() => void create()}>
            {t('accessToken.create')}
          </Button>
        }
      />
      {data !== undefined && (
        <Dialog
          open
          onClose={reset}
          title={t('accessToken.title')}
          footer={
            <Button variant="primary" onClick={reset}>
              {t('action.done')}
            </Button>
          }
        >
          <div className="flex flex-col gap-4">
            <Notice tone="warn">{t('accessToken.once')}</Notice>
            <CodeBlock code={data} label={t('accessToken.copy')} />
          </div>
        </Dialog>
      )}
    </>
  )
}

interface PasswordForm {
  readonly original: string
  readonly password: string
  readonly again: string
}

const blank: PasswordForm = { original: '', password: '', again: '' }

/** A new password, typed twice; the server asks for the one before. */
function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
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
