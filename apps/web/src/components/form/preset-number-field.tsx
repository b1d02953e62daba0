import type { ComponentType } from 'react'
import type { FieldValues } from 'react-hook-form'
import { NumberInput, type NumberInputProps } from '../ui/field/input.tsx'
import { PresetChips } from '../ui/field/preset-chips.tsx'
import { FormField, type FormFieldProps } from './form-field.tsx'

export interface PresetNumberFieldProps<Values extends FieldValues>
  extends Omit<FormFieldProps<Values, number | undefined>, 'children'> {
  /** Values that are wanted often. */
  readonly presets: readonly number[]
  /** Label of a preset; the number itself by default. */
  readonly presetLabel?: (preset: number) => string
  /** Component into which the number is typed. */
  readonly input?: ComponentType<Pick<NumberInputProps, 'value' | 'onValueChange' | 'onBlur'>>
}

/** A whole number in a form: one of some presets, or any. `undefined` is an empty box. */
export function PresetNumberField<Values extends FieldValues>({
  presets,
  presetLabel = String,
  input: Input = NumberInput,
  ...field
}: PresetNumberFieldProps<Values>) {
  return (
    <FormField<Values, number | undefined> {...field}>
      {({ value, onChange, onBlur }) => (
        <>
          <PresetChips
            chips={presets.map((preset) => ({
              label: presetLabel(preset),
              pressed: value === preset,
              choose: () => onChange(preset),
            }))}
          />
          <Input value={value} onValueChange={onChange} onBlur={onBlur} />
        </>
      )}
    </FormField>
  )
}
