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
  readonly preview?: NumberInputProps['preview']
}

/** A whole number in a form: one of some presets, or any. `undefined` is an empty box. */
export function PresetNumberField<Values extends FieldValues>({
  presets,
  presetLabel = String,
  preview,
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
          <NumberInput value={value} onValueChange={onChange} onBlur={onBlur} {...(preview && { preview })} />
        </>
      )}
    </FormField>
  )
}
