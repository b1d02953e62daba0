import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'
import { cx } from '../../../lib/cx.ts'

/** Facts that a field passes to the control inside it. */
interface FieldContext {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: boolean
  readonly required: boolean
  readonly labelId: string
}

const Context = createContext<FieldContext | undefined>(undefined)

export interface FieldProps {
  readonly label: ReactNode
  /** Explanation of the value under the control: "1.25 = 25 % dearer than the base price". */
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly required?: boolean
  /** Right of the label: a link, a counter. */
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** Label, control, hint and error, tied together for screen readers. The control inside needs no id of its own. */
export function Field({ label, hint, error, required = false, aside, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined
  return (
    <Context value={{ id, describedBy, invalid: Boolean(error), required, labelId: `${id}-label` }}>
      <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
        <div className="flex items-baseline justify-between gap-3">
          <label id={`${id}-label`} htmlFor={id} className="font-medium text-sm">
            {label}
            {required && (
              <span className="text-bad" aria-hidden>
                {' *'}
              </span>
            )}
          </label>
          {aside && <span className="text-muted text-xs">{aside}</span>}
        </div>
        {children}
        <ErrorText id={errorId}>{error}</ErrorText>
        {hint && (
          <p id={hintId} className="text-muted text-xs">
            {hint}
          </p>
        )}
      </div>
    </Context>
  )
}

/** Attributes for a native control inside a field; empty outside one. */
export function useFieldControl(): {
  readonly id?: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
  readonly 'aria-required'?: true
} {
  const field = useContext(Context)
  if (!field) return {}
  return {
    id: field.id,
    ...(field.describedBy && { 'aria-describedby': field.describedBy }),
    ...(field.invalid && { 'aria-invalid': true }),
    ...(field.required && { 'aria-required': true }),
  }
}

/**
 * The accessible name of an element that the field's label cannot point to: a part of a control, or the list that it opens.
 * @param label takes the place of the field's own
 */
export function useFieldName(label?: string): {
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
} {
  const labelId = useContext(Context)?.labelId
  if (label !== undefined) return { 'aria-label': label }
  return labelId === undefined ? {} : { 'aria-labelledby': labelId }
}

interface ErrorTextProps {
  readonly id?: string
  readonly className?: string
  readonly children: string | false | undefined
}

/** A problem in words, announced to screen readers; renders nothing without one. */
export function ErrorText({ id, className = 'text-xs', children }: ErrorTextProps) {
  if (!children) return null
  return (
    <p id={id} role="alert" className={cx('text-bad', className)}>
      {children}
    </p>
  )
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  readonly onSubmit: () => void
}

/** A form that the console checks and sends itself. */
export function Form({ onSubmit, className = 'flex flex-col gap-4', ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        // React passes the event on to a form around a dialog.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
