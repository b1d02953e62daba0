import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { useFieldControl } from './field.tsx'

export interface InputProps extends ComponentProps<'input'> {
  readonly icon?: LucideIcon
  /** Inside the box at its end: a unit, a small button. */
  readonly suffix?: ReactNode
  /** Keys, ids, models: fixed-width letters. */
  readonly mono?: boolean
}

/** One line of text, which phones do not begin with a capital: lines are names, codes and keys. */
export function Input({ icon: Icon, suffix, mono, className, ...rest }: InputProps) {
  const control = useFieldControl()
  return (
    <span className={cx('field flex h-control w-full min-w-0 items-center gap-2 px-2.5', className)}>
      {Icon && <Icon className="size-3.5 shrink-0 text-faint" aria-hidden />}
      <input
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        {...control}
        className={cx('h-full w-full min-w-0 bg-transparent text-sm outline-none', mono && 'font-mono')}
        {...rest}
      />
      {suffix && <span className="flex shrink-0 items-center text-muted text-xs">{suffix}</span>}
    </span>
  )
}

/** A secret, hidden until the person asks to see it. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'suffix'>) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(false)
  const Icon = visible ? EyeOff : Eye
  return (
    <Input
      {...props}
      type={visible ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className="-mr-1 grid size-7 place-items-center rounded text-muted hover:text-text max-sm:size-10"
          aria-label={t(visible ? 'input.hidePassword' : 'input.showPassword')}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        >
          <Icon className="size-4" aria-hidden />
        </button>
      }
    />
  )
}

export interface NumberInputProps extends Omit<InputProps, 'type' | 'value' | 'onChange' | 'defaultValue'> {
  /** `undefined` is an empty box. */
  readonly value: number | undefined
  readonly onValueChange: (value: number | undefined) => void
  /** Accept a decimal point; whole numbers otherwise. */
  readonly decimal?: boolean
  /** Said beside the number while typing, such as its amount in currency. */
  readonly preview?: (value: number) => ReactNode
}

/** A number. What cannot be read as one leaves the value empty and the text as typed. */
export function NumberInput({
  value,
  onValueChange,
  decimal = false,
  preview,
  suffix,
  ...rest
}: NumberInputProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const [visible, setVisible] = useState(value)
  // A value set from outside (a preset, a reset) replaces what was typed.
  if (visible !== value) {
    setVisible(value)
    if (parseNumber(text, decimal) !== value) setText(value === undefined ? '' : String(value))
  }
  return (
    <Input
      inputMode={decimal ? 'decimal' : 'numeric'}
      {...rest}
      className={cx('figures', rest.className)}
      value={text}
      onChange={(event) => {
        const next = parseNumber(event.target.value, decimal)
        setText(event.target.value)
        setVisible(next)
        onValueChange(next)
      }}
      suffix={value !== undefined && preview ? <span className="figures">{preview(value)}</span> : suffix}
    />
  )
}

/** Exported for its test. */
export function parseNumber(text: string, decimal: boolean): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  if (!(decimal ? /^-?(\d+\.?\d*|\.\d+)$/ : /^-?\d+$/).test(plain)) return undefined
  const value = Number(plain)
  return Number.isFinite(value) && (decimal || Number.isSafeInteger(value)) ? value : undefined
}

export interface TextareaProps extends ComponentProps<'textarea'> {
  readonly mono?: boolean
}

/** Several lines of text; grows with them where the browser can. */
export function Textarea({ mono, className, ...rest }: TextareaProps) {
  const control = useFieldControl()
  return (
    <textarea
      rows={3}
      spellCheck={!mono}
      {...control}
      className={cx(
        'field field-sizing-content max-h-96 min-h-20 w-full px-2.5 py-1.5 text-sm',
        mono && 'font-mono',
        className,
      )}
      {...rest}
    />
  )
}
