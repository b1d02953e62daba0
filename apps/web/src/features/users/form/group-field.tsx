import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { Select } from '../../../components/ui/select/select.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { fieldLabels, type UserForm } from './rules.ts'

/** The group whose models and prices they get. */
export function GroupField({
  form,
  disabled,
}: {
  readonly form: UseFormReturn<UserForm>
  readonly disabled: boolean
}) {
  const { t } = useTranslation('users')
  const { data: groups = [] } = useQuery(groupsQuery)
  return (
    <FormField<UserForm, string>
      form={form}
      name="group"
      label={t(fieldLabels.group)}
      hint={t('field.groupHint')}
    >
      {({ value, onChange }) => (
        <Select
          value={value}
          disabled={disabled}
          onValueChange={onChange}
          options={groups.map((group) => ({ value: group, label: group }))}
        />
      )}
    </FormField>
  )
}
