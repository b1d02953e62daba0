import type { FieldOfPage } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { PlainInput } from '../../../components/form/index.ts'
import { FormField, type SectionProps } from './form-field.tsx'
import {
  type FormSectionName,
  type NamedField,
  type PlainField,
  type PlainValues,
  plainFields,
} from './form-fields.ts'

interface PlainFieldsProps extends SectionProps {
  readonly section: FormSectionName
}

/** The fields that a channel declares for a section and that need no control of their own. */
export function PlainFields({ section, ...props }: PlainFieldsProps) {
  return plainFields
    .filter((field) => field.section === section)
    .map((field) => <PlainChannelField key={field.name} field={field} {...props} />)
}

function PlainChannelField({
  field,
  form,
  change,
  problems,
}: SectionProps & { readonly field: FieldOfPage }) {
  const { t, i18n } = useTranslation('channels')
  const label = useFieldLabel()
  // The form has every plain field under its name.
  const name = field.name as PlainField
  // Texts beside the name are there where they say more than it.
  const textOf = (key: string) => (i18n.exists(key, { ns: 'channels' }) ? t(key as 'hint.tag') : undefined)
  return (
    <FormField name={name} problem={problems[name]} label={label(name)} hint={textOf(`hint.${name}`)}>
      <PlainInput
        field={field}
        value={form[name]}
        placeholder={textOf(`placeholder.${name}`)}
        // The control of a kind gives values of that kind.
        onValueChange={(value) => change({ [name]: value } as Partial<PlainValues>)}
      />
    </FormField>
  )
}

/** Returns the form's name of a field: a text of its own, or the name that all pages share. */
export function useFieldLabel(): (field: NamedField) => string {
  const { t, i18n } = useTranslation(['channels', 'fields'])
  return (field) =>
    i18n.exists(`field.${field}`, { ns: 'channels' })
      ? t(`field.${field as 'name'}`)
      : t(`fields:${field as 'name'}`)
}
