import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Tooltip } from './overlay/tooltip.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'md' | 'sm'

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'border-transparent bg-accent text-on-accent hover:not-disabled:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-text hover:not-disabled:bg-hover',
  ghost:
    'border-transparent bg-transparent text-muted hover:not-disabled:bg-hover hover:not-disabled:text-text',
  danger: 'border-transparent bg-bad-solid text-on-accent hover:not-disabled:bg-bad-solid-hover',
}
const sizes: Readonly<Record<ButtonSize, string>> = {
  md: 'h-control px-3 text-sm',
  sm: 'h-control-sm px-2 text-xs',
}

/** Classes of a button, for links that look like one. */
export function buttonClass(
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'md',
  className?: string,
): string {
  return cx(
    'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded border font-medium transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-50',
    variants[variant],
    sizes[size],
    className,
  )
}

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly icon?: LucideIcon
  /** Shows that the action runs, and takes no second press. */
  readonly loading?: boolean
}

/** A button with words. Say what it does: "Create key", not "OK". */
export function Button({
  variant,
  size,
  icon: Icon,
  loading,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass(variant, size, className)}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      {...rest}
    >
      {loading ? (
        <LoaderCircle className="size-3.5 animate-spin" aria-hidden />
      ) : (
        Icon && <Icon className="size-3.5" aria-hidden />
      )}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** Its name, for screen readers and as a tooltip. */
  readonly label: string
  readonly icon: LucideIcon
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly loading?: boolean
  /** False where a tooltip would be in the way. */
  readonly tooltip?: boolean
}

/** A square button with an icon only. */
export function IconButton({
  label,
  icon: Icon,
  variant = 'ghost',
  size = 'md',
  loading,
  tooltip = true,
  className,
  disabled,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-busy={loading || undefined}
      className={buttonClass(variant, size, cx('aspect-square px-0!', className))}
      disabled={disabled || loading}
      {...rest}
    >
      {loading ? (
        <LoaderCircle className="size-4 animate-spin" aria-hidden />
      ) : (
        <Icon className="size-4" aria-hidden />
      )}
    </button>
  )
  return tooltip ? <Tooltip text={label}>{button}</Tooltip> : button
}

/** Buttons that belong together, side by side. */
export function ButtonRow({
  children,
  className,
}: {
  readonly children: ReactNode
  readonly className?: string
}) {
  return <div className={cx('flex flex-wrap items-center gap-2', className)}>{children}</div>
}
