import { type ReactNode, useEffect, useReducer } from 'react'
import { type FieldPathByValue, type FieldValues, type UseFormReturn, useController } from 'react-hook-form'
import { Field, type FieldProps } from '../ui/field/field.tsx'

/** Value of a control, and its events. */
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
  const value = useFieldValue(form, name)
  return (
    <Field {...field} error={fieldState.error?.message}>
      {children({
        value: value as Value,
        onChange: (next) => control.onChange(next),
        onBlur: control.onBlur,
      })}
    </Field>
  )
}

/** The value as it is. The library's own hook takes `undefined`, which is an emptied number, for the first value. */
function useFieldValue<Values extends FieldValues, Value>(
  form: UseFormReturn<Values>,
  name: FieldPathByValue<Values, Value>,
): unknown {
  const [, changed] = useReducer((count: number) => count + 1, 0)
  useEffect(() => form.subscribe({ name, formState: { values: true }, callback: changed }), [form, name])
  return form.getValues(name)
}
