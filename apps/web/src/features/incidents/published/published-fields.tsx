import { useQuery } from '@tanstack/react-query'
import { type PublicIncidentState, publicIncidentLimits, publicIncidentStates } from '@tollgate/api'
import type { FieldPathByValue, FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FieldControl, FormField } from '../../../components/form/form-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { DateTimePicker } from '../../../components/ui/date/date-time-picker.tsx'
import { Textarea } from '../../../components/ui/field/input.tsx'
import { MultiSelect } from '../../../components/ui/select/multi-select.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { pricingQuery } from '../../../lib/api/pricing.ts'
import { useUser } from '../../../lib/session/session.ts'

interface StateSelectProps<Values extends { readonly state: PublicIncidentState }> {
  readonly form: UseFormReturn<Values>
}

/** The state that an update tells. */
export function StateSelect<Values extends { readonly state: PublicIncidentState }>({
  form,
}: StateSelectProps<Values>) {
  const { t } = useTranslation('statusPage')
  return (
    // The name is a field of every such form, which the compiler does not see.
    <FormField<Values, PublicIncidentState>
      form={form}
      name={'state' as never}
      label={t('manage.field.state')}
    >
      {({ value, onChange }) => (
        <Select
          value={value}
          onValueChange={(next) => next !== undefined && onChange(next)}
          options={publicIncidentStates.map((state) => ({ value: state, label: t(`phase.${state}`) }))}
        />
      )}
    </FormField>
  )
}

interface TitleFieldProps<Values extends { readonly title: string }> {
  readonly form: UseFormReturn<Values>
}

/** The line that names an incident. */
export function TitleField<Values extends { readonly title: string }>({ form }: TitleFieldProps<Values>) {
  const { t } = useTranslation('statusPage')
  return (
    <TextField
      form={form}
      name={'title' as never}
      label={t('manage.field.title')}
      required
      input={{ maxLength: publicIncidentLimits.title }}
    />
  )
}

interface UpdateFieldProps<Values extends { readonly text: string }> {
  readonly form: UseFormReturn<Values>
}

/** The text of an update that is being added. */
export function UpdateField<Values extends { readonly text: string }>({ form }: UpdateFieldProps<Values>) {
  const { t } = useTranslation('statusPage')
  return (
    <FormField<Values, string>
      form={form}
      name={'text' as never}
      label={t('manage.field.text')}
      hint={t('manage.field.textHint')}
      required
    >
      {(control) => <TextBox {...control} />}
    </FormField>
  )
}

interface ModelsFieldProps<Values extends { readonly models: readonly string[] }> {
  readonly form: UseFormReturn<Values>
}

/** The affected models: those of the price list, or any name. */
export function ModelsField<Values extends { readonly models: readonly string[] }>({
  form,
}: ModelsFieldProps<Values>) {
  const { t } = useTranslation('statusPage')
  const { data } = useQuery(pricingQuery(useUser()?.id))
  return (
    <FormField<Values, readonly string[]>
      form={form}
      name={'models' as never}
      label={t('manage.field.models')}
      hint={t('manage.field.modelsHint')}
    >
      {({ value, onChange }) => (
        <MultiSelect
          values={value}
          onValuesChange={onChange}
          options={data?.rows.map(({ model_name }) => model_name) ?? []}
          creatable
          mono
        />
      )}
    </FormField>
  )
}

interface TimeFieldProps<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>
  readonly name: FieldPathByValue<Values, number | undefined>
  readonly label: string
}

/** A moment, which stays when its box is emptied. */
export function TimeField<Values extends FieldValues>({ form, name, label }: TimeFieldProps<Values>) {
  return (
    <FormField<Values, number | undefined> form={form} name={name} label={label}>
      {({ value, onChange }) => (
        <DateTimePicker value={value} onValueChange={(at) => at !== undefined && onChange(at)} />
      )}
    </FormField>
  )
}

/** A box for the text of one update. */
export function TextBox({ value, onChange, onBlur }: FieldControl<string>) {
  return (
    <Textarea
      rows={5}
      value={value}
      maxLength={publicIncidentLimits.text}
      onBlur={onBlur}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
