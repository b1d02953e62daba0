import type { FieldOfPage } from '@tollgate/api'
import type { FieldPathByValue, FieldValues, UseFormReturn } from 'react-hook-form'
import { FormField } from './form-field.tsx'
import { PlainInput, type PlainInputProps } from './plain-input.tsx'

interface PlainFieldsProps<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>
  readonly fields: readonly FieldOfPage[]
  readonly section: string
  /** Label of a field, already translated. */
  readonly label: (name: string) => string
}

/** The fields of one section of a resource that need no control of their own: numbers, switches and texts. */
export function PlainFields<Values extends FieldValues>(props: PlainFieldsProps<Values>) {
  const { form, fields, section, label } = props
  return fields
    .filter((field) => field.section === section)
    .map((field) => (
      <FormField<Values, unknown>
        key={field.name}
        form={form}
        // The form holds every field of the resource; a type parameter does not tell.
        name={field.name as FieldPathByValue<Values, unknown>}
        label={label(field.name)}
      >
        {({ value, onChange, onBlur }) => (
          <PlainInput
            field={field}
            value={value}
            onBlur={onBlur}
            onValueChange={onChange satisfies PlainInputProps['onValueChange']}
          />
        )}
      </FormField>
    ))
}
