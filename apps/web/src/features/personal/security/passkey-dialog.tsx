import { useQueryClient } from '@tanstack/react-query'
import { calls, type Passkey } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../../components/form/index.ts'
import { request } from '../../../lib/api-client.ts'
import { passkeysQuery } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { makePasskey } from './passkey-api.ts'

interface PasskeyForm {
  readonly name: string
}

export interface PasskeyDialogProps {
  /** The one to rename; a new one when there is none. */
  readonly passkey?: Passkey
  readonly onClose: () => void
}

/** The name of a passkey; for a new one the device asks the person next. */
export function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const isNew = passkey === undefined
  const known = passkey?.name ?? ''

  async function save({ name }: PasskeyForm): Promise<void> {
    if (isNew) {
      if (!(await makePasskey(name.trim()))) throw new Error(t('passkey.notMade'))
    } else {
      await request(calls.passkeys.rename, { params: { id: passkey.id }, body: { name: name.trim() } })
    }
  }

  const saveForm = useSaveForm<PasskeyForm, void>({
    start: useMemo(() => ({ name: known }), [known]),
    check: ({ name }) => ({ name: name.trim() === '' ? t('passkey.nameMissing') : undefined }),
    fieldOf: { passkey_name_invalid: 'name' },
    save,
    successMessage: t(isNew ? 'passkey.added' : 'passkey.renamed'),
    onSaved() {
      void client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t(isNew ? 'passkey.addTitle' : 'passkey.renameTitle')}
      submitLabel={t(isNew ? 'passkey.create' : 'passkey.rename')}
      onClose={onClose}
    >
      <TextField
        form={saveForm.form}
        name="name"
        label={t('passkey.name')}
        hint={isNew && t('passkey.addHint')}
        input={{ placeholder: t('passkey.nameExample') }}
      />
    </FormDialog>
  )
}
