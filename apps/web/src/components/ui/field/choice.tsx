import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '../../../lib/cx.ts'
import { useFieldControl, useFieldName } from './field.tsx'

type NativeBox = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'children'>

export interface CheckboxProps extends NativeBox {
  readonly label?: ReactNode
  readonly hint?: ReactNode
  /** Neither on nor off: some of the things below it are. */
  readonly indeterminate?: boolean
  readonly onCheckedChange?: (checked: boolean) => void
}

/** Switches one of several things on or off. Without `label` give it an `aria-label`. */
export function Checkbox(props: CheckboxProps) {
  const { label, hint, indeterminate = false, onCheckedChange, className, ...rest } = props
  const id = useId()
  const box = (
    <span className="relative grid size-4 shrink-0 place-items-center max-sm:size-5">
      <input
        type="checkbox"
        id={id}
        {...rest}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
        onChange={(event) => onCheckedChange?.(event.target.checked)}
        className="peer size-full appearance-none rounded-sm border border-line-strong bg-surface transition-colors checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent hover:border-faint disabled:opacity-50"
      />
      <Check className="pointer-events-none absolute size-3 stroke-3 text-on-accent opacity-0 peer-checked:opacity-100 peer-indeterminate:hidden" />
      <span className="pointer-events-none absolute h-0.5 w-2 rounded-full bg-on-accent opacity-0 peer-indeterminate:opacity-100" />
    </span>
  )
  if (!label)
    return <span className={cx('inline-grid place-items-center align-middle', className)}>{box}</span>
  return (
    <label
      htmlFor={rest.id ?? id}
      className={cx('flex cursor-pointer items-start gap-2 py-0.5 text-sm max-sm:py-2', className)}
    >
      <span className="flex h-[1.5em] items-center">{box}</span>
      <ChoiceText label={label} hint={hint} />
    </label>
  )
}

export interface SwitchProps extends NativeBox {
  readonly label?: ReactNode
  readonly hint?: ReactNode
  readonly onCheckedChange?: (checked: boolean) => void
}

/** A setting that takes effect by being switched. Without `label` give it an `aria-label`. */
export function Switch({ label, hint, onCheckedChange, className, ...rest }: SwitchProps) {
  const id = useId()
  const control = useFieldControl()
  const box = (
    <span className="relative inline-flex h-[18px] w-8 shrink-0 items-center max-sm:h-6 max-sm:w-11">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says itself whether it is checked
        role="switch"
        id={id}
        {...(label ? {} : control)}
        {...rest}
        onChange={(event) => onCheckedChange?.(event.target.checked)}
        className="peer size-full appearance-none rounded-full bg-line-strong transition-colors checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50"
      />
      <span className="pointer-events-none absolute left-0.5 size-3.5 rounded-full bg-on-accent transition-transform peer-checked:translate-x-3.5 max-sm:size-5 max-sm:peer-checked:translate-x-5" />
    </span>
  )
  if (!label) return <span className={cx('inline-flex items-center', className)}>{box}</span>
  return (
    <label
      htmlFor={rest.id ?? id}
      className={cx(
        'flex cursor-pointer items-start justify-between gap-4 py-0.5 text-sm max-sm:py-2',
        className,
      )}
    >
      <ChoiceText label={label} hint={hint} />
      {box}
    </label>
  )
}

export interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

export interface RadioGroupProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly options: readonly RadioOption<Value>[]
  /** `cards` gives each option a box, for choices that need explaining. */
  readonly look?: 'plain' | 'cards'
  readonly 'aria-label'?: string
  readonly className?: string
}

/** One of a few, all of them visible. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { value, onValueChange, options, look = 'plain', className } = props
  const name = useId()
  const accessibleName = useFieldName(props['aria-label'])
  return (
    <div role="radiogroup" {...accessibleName} className={cx('flex flex-col gap-2', className)}>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'flex cursor-pointer items-start gap-2.5 text-sm has-disabled:cursor-not-allowed has-disabled:opacity-50',
            look === 'cards' &&
              'rounded border border-line bg-surface px-3 py-2.5 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
            look === 'plain' && 'max-sm:py-2',
          )}
        >
          <span className="flex h-[1.5em] items-center">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onValueChange(option.value)}
              className="size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface transition-all checked:border-[5px] checked:border-accent focus-visible:outline-offset-2"
            />
          </span>
          <ChoiceText label={option.label} hint={option.hint} />
        </label>
      ))}
    </div>
  )
}

function ChoiceText({ label, hint }: { readonly label: ReactNode; readonly hint?: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span>{label}</span>
      {hint && <span className="text-muted text-xs">{hint}</span>}
    </span>
  )
}
