import { useController } from 'react-hook-form'
import type { ShownKey } from '../model/catalogue.ts'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'

/** The typed text of a setting whose control is hand-made. */
export function useSettingText(key: ShownKey) {
  const { form } = useSettings()
  const { field, fieldState } = useController({ control: form.control, name: fieldName(key) })
  return {
    text: field.value ?? '',
    error: fieldState.error?.message,
    change: (value: unknown) => field.onChange(JSON.stringify(value, null, 2)),
  }
}
