import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'

export interface SegmentedControlProps<Value extends string> {
  readonly label: string
  readonly value: Value | undefined
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly disabled?: boolean
  }[]
  readonly onChange: (value: Value) => void
}

/** One of two or three ways to look at a thing, side by side. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedControlProps<Value>) {
  return (
    <fieldset
      aria-label={label}
      className="flex h-control min-w-0 items-center gap-0.5 rounded bg-sunken p-0.5 max-sm:w-full"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabled}
          onClick={() => onChange(option.value)}
          className={cx(
            'h-full rounded-sm px-2.5 max-sm:flex-1 whitespace-nowrap text-muted text-xs transition-colors hover:text-text disabled:opacity-50',
            option.value === value && 'bg-surface font-medium text-text shadow-[0_0_0_1px_var(--line)]',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
