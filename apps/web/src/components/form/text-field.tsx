import type { FieldValues } from 'react-hook-form'
import { Input, type InputProps, PasswordInput } from '../ui/field/input.tsx'
import { FormField, type FormFieldProps } from './form-field.tsx'

export interface TextFieldProps<Values extends FieldValues>
  extends Omit<FormFieldProps<Values, string>, 'children'> {
  readonly input?: Pick<
    InputProps,
    | 'placeholder'
    | 'mono'
    | 'icon'
    | 'suffix'
    | 'maxLength'
    | 'autoComplete'
    | 'inputMode'
    | 'disabled'
    | 'type'
  >
  /** Hidden until the person asks to see it. */
  readonly secret?: boolean
}

/** One line of text in a form. */
export function TextField<Values extends FieldValues>({ input, secret, ...field }: TextFieldProps<Values>) {
  return (
    <FormField<Values, string> {...field}>
      {({ value, onChange, onBlur }) => {
        const props = {
          value,
          onBlur,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        }
        if (!secret) return <Input {...input} {...props} />
        const { type: _type, suffix: _suffix, ...rest } = input ?? {}
        return <PasswordInput {...rest} {...props} />
      }}
    </FormField>
  )
}
