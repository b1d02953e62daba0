import type { ReactNode } from 'react'
import { type FieldPathByValue, type FieldValues, type UseFormReturn, useController } from 'react-hook-form'
import { Field, type FieldProps } from '../ui/field.tsx'

/** What a control shows and how it tells of changes. */
export interface FieldControl<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly onBlur: () => void
}

export interface FormFieldProps<Values extends FieldValues, Value>
  extends Omit<FieldProps, 'error' | 'children'> {
  readonly form: UseFormReturn<Values>
  readonly name: FieldPathByValue<Values, Value>
  /** The control, such as `<Input value={value} onChange={…} />`. */
  readonly children: (control: FieldControl<Value>) => ReactNode
}

/** A field of a form: label, control, hint, and what is wrong with it. */
export function FormField<Values extends FieldValues, Value>({
  form,
  name,
  children,
  ...field
}: FormFieldProps<Values, Value>) {
  const { field: control, fieldState } = useController({ control: form.control, name })
  return (
    <Field {...field} error={fieldState.error?.message}>
      {children({
        value: control.value as Value,
        onChange: (value) => control.onChange(value),
        onBlur: control.onBlur,
      })}
    </Field>
  )
}
