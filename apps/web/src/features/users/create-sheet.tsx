import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet, useSaveForm } from '../../components/form/index.ts'
import { request } from '../../lib/api-client.ts'
import { userLists } from './api.ts'
import { IdentityFields } from './form/identity-fields.tsx'
import { blankForm, createProblems, fieldOfRefusal, type UserForm } from './form/rules.ts'

/** A new account, made for somebody. */
export function CreateUserSheet(): ReactNode {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/user', search: true })
  const saveForm = useSaveForm({
    start: blankForm,
    check: (form) => createProblems(form, t),
    save: ({ username, displayName, password }: UserForm) =>
      request(calls.userAdmin.create, {
        body: { username: username.trim(), display_name: displayName.trim(), password },
      }),
    fieldOf: fieldOfRefusal,
    successMessage: t('create.done'),
    onSaved: () => {
      close()
      void userLists.refresh(client)
    },
  })
  return (
    <FormSheet
      saveForm={saveForm}
      onClose={close}
      title={t('create.title')}
      description={t('create.description')}
      submitLabel={t('create.title')}
    >
      <IdentityFields form={saveForm.form} isNew passwordHint={t('field.passwordHint')} />
    </FormSheet>
  )
}
