import type { FieldOfPage } from '@tollgate/api'
import type { FieldPathByValue, FieldValues, UseFormReturn } from 'react-hook-form'
import { Switch } from '../ui/field/choice.tsx'
import { NumberInput } from '../ui/field/input.tsx'
import { FormField } from './form-field.tsx'
import { TextField } from './text-field.tsx'

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
    .map(({ name, kind }) => {
      // The form holds every field of the resource; a type parameter does not tell.
      const path = name as FieldPathByValue<Values, never>
      const field = { form, label: label(name) }
      if (kind === 'text')
        return <TextField key={name} {...field} name={name as FieldPathByValue<Values, string>} />
      if (kind === 'flag')
        return (
          <Switch
            key={name}
            label={field.label}
            checked={form.watch(path)}
            onCheckedChange={(on) => form.setValue(path, on as never, { shouldDirty: true })}
          />
        )
      return (
        <FormField<Values, number | undefined>
          key={name}
          {...field}
          name={name as FieldPathByValue<Values, number | undefined>}
        >
          {({ value, onChange, onBlur }) => (
            <NumberInput value={value} min={0} onValueChange={onChange} onBlur={onBlur} />
          )}
        </FormField>
      )
    })
}
