import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../components/form/index.ts'
import { fieldLabels, type UserForm } from './rules.ts'

export interface IdentityFieldsProps {
  readonly form: UseFormReturn<UserForm>
  /** A new user needs a password; a stored one has one. */
  readonly isNew: boolean
  readonly passwordHint: ReactNode
}

/** Edits the name they log in with, and their display name. */
export function IdentityFields({ form, isNew, passwordHint }: IdentityFieldsProps) {
  const { t } = useTranslation('users')
  return (
    <>
      <TextField form={form} name="username" label={t(fieldLabels.username)} required />
      <TextField
        form={form}
        name="displayName"
        label={t(fieldLabels.displayName)}
        hint={t(isNew ? 'field.displayNameHint' : 'field.displayNameKept')}
      />
      <TextField
        form={form}
        name="password"
        label={t(isNew ? fieldLabels.password : 'field.newPassword')}
        hint={passwordHint}
        required={isNew}
        secret
        input={{ autoComplete: 'new-password' }}
      />
    </>
  )
}
