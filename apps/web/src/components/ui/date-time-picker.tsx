import { fromDateTimeInput, toDateTimeInput } from '../../lib/format.ts'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

export interface DateTimeShortcut {
  readonly label: string
  /** The time it stands for, in Unix seconds; `undefined` clears. */
  readonly at: () => number | undefined
}

export interface DateTimePickerProps {
  /** Unix seconds. */
  readonly value: number | undefined
  readonly onValueChange: (value: number | undefined) => void
  /** Chips under the box: "One hour", "One day". */
  readonly shortcuts?: readonly DateTimeShortcut[]
  readonly min?: number
  readonly disabled?: boolean
  readonly 'aria-label'?: string
}

/** A moment in local time, to the second. */
export function DateTimePicker(props: DateTimePickerProps) {
  const { value, onValueChange, shortcuts = [], min, disabled } = props
  return (
    <div className="flex flex-col gap-1.5">
      <Input
        type="datetime-local"
        step={1}
        className="figures"
        aria-label={props['aria-label']}
        disabled={disabled}
        {...(min !== undefined && { min: toDateTimeInput(min) })}
        value={value === undefined ? '' : toDateTimeInput(value)}
        onChange={(event) => onValueChange(fromDateTimeInput(event.target.value))}
      />
      {shortcuts.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {shortcuts.map((shortcut) => (
            <Button
              key={shortcut.label}
              size="sm"
              disabled={disabled}
              onClick={() => onValueChange(shortcut.at())}
            >
              {shortcut.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
