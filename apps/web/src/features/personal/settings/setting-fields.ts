import type { User } from '@tollgate/api'
import type { UseFormReturn } from 'react-hook-form'
import type { SettingForm } from './setting-form.ts'

/** What a part of the form is given. */
export interface SettingFieldsProps {
  readonly form: UseFormReturn<SettingForm>
  readonly user: User
}
