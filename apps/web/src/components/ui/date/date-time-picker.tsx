import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fromDateTimeInput, toDateTimeInput } from '../../../lib/format/format.ts'
import { Button, IconButton } from '../button.tsx'
import { Input } from '../field/input.tsx'
import { Popover } from '../overlay/popover.tsx'
import { DayCalendar } from './calendar.tsx'
import { onDay } from './calendar-days.ts'

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
  /** Off where a calendar is beside it already. */
  readonly calendar?: boolean
  readonly 'aria-label'?: string
}

/** A moment in local time, to the second: typed, or its day chosen from a calendar. */
export function DateTimePicker(props: DateTimePickerProps) {
  const { value, onValueChange, shortcuts = [], min, disabled, calendar = true } = props
  return (
    <div className="flex flex-col gap-1.5">
      <Input
        type="datetime-local"
        step={1}
        className="figures [&_::-webkit-calendar-picker-indicator]:hidden"
        aria-label={props['aria-label']}
        disabled={disabled}
        {...(min !== undefined && { min: toDateTimeInput(min) })}
        value={value === undefined ? '' : toDateTimeInput(value)}
        onChange={(event) => onValueChange(fromDateTimeInput(event.target.value))}
        suffix={calendar && !disabled && <CalendarButton value={value} min={min} onChange={onValueChange} />}
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

interface CalendarButtonProps {
  readonly value: number | undefined
  readonly min: number | undefined
  readonly onChange: (value: number) => void
}

function CalendarButton({ value, min, onChange }: CalendarButtonProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="end"
      label={t('calendar.open')}
      trigger={
        <IconButton
          icon={CalendarDays}
          label={t('calendar.open')}
          tooltip={false}
          size="sm"
          className="-mr-2"
        />
      }
    >
      <DayCalendar
        value={value}
        min={min}
        onChoose={(day) => {
          onChange(onDay(day, value))
          setOpen(false)
        }}
      />
    </Popover>
  )
}
