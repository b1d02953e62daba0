import type { FieldOfPage } from '@tollgate/api'
import { Switch } from '../ui/field/choice.tsx'
import { Input, NumberInput } from '../ui/field/input.tsx'

export interface PlainInputProps {
  readonly field: FieldOfPage
  readonly value: unknown
  readonly placeholder?: string | undefined
  readonly onValueChange: (value: string | number | boolean | undefined) => void
  readonly onBlur?: () => void
}

/**
 * Shows the control of a field that needs none of its own: a switch, a number or a line of text. What breaks
 * a limit stays as typed, and is refused at the field.
 */
export function PlainInput({ field: { kind, limits }, value, placeholder, ...props }: PlainInputProps) {
  const { onValueChange, onBlur } = props
  if (kind === 'flag') return <Switch checked={value === true} onCheckedChange={onValueChange} />
  const common = { ...(placeholder && { placeholder }), ...(onBlur && { onBlur }) }
  if (kind === 'text')
    return (
      <Input
        {...common}
        value={String(value ?? '')}
        onChange={(event) => onValueChange(event.target.value)}
      />
    )
  const min = limits && 'min' in limits ? limits.min : 0
  return (
    <NumberInput {...common} min={min} value={value as number | undefined} onValueChange={onValueChange} />
  )
}
