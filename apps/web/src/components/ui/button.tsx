import { LoaderCircle, type LucideIcon } from 'lucide-react'
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { cx } from '../../lib/cx.ts'

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

interface TooltipProps {
  readonly text: string
  /** One element that can take focus, so that the tooltip works from the keyboard. */
  readonly children: ReactElement<Record<string, unknown>>
  readonly side?: 'top' | 'right'
}

/**
 * A short explanation on hover and focus. Never the only place where something important is said: touch has no hover.
 * The text is only marked here; one `TooltipLayer` in the frame draws it, so a table of a hundred buttons stays cheap.
 */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  return cloneElement(children, { 'data-tooltip': text, 'data-tooltip-side': side })
}

interface Shown {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly place: 'top' | 'bottom' | 'right'
}

const openDelayMs = 350
const gap = 6
const edge = 8

function measure(target: HTMLElement): Shown {
  const box = target.getBoundingClientRect()
  const text = target.dataset.tooltip ?? ''
  if (target.dataset.tooltipSide === 'right') {
    return { text, x: box.right + gap, y: box.top + box.height / 2, place: 'right' }
  }
  const middle = Math.min(Math.max(box.left + box.width / 2, edge), window.innerWidth - edge)
  return box.top < 48
    ? { text, x: middle, y: box.bottom + gap, place: 'bottom' }
    : { text, x: middle, y: box.top - gap, place: 'top' }
}

/** Draws the tooltip of whatever the pointer or the focus is on. Once, in the frame. */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let current: HTMLElement | undefined
    const hide = () => {
      clearTimeout(timer)
      current = undefined
      setShown(undefined)
    }
    const show = (target: EventTarget | null, delayMs: number) => {
      const element = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
      if (element === current) return
      hide()
      if (!element) return
      current = element
      timer = setTimeout(() => element.isConnected && setShown(measure(element)), delayMs)
    }
    const onPointer = (event: PointerEvent) =>
      event.pointerType === 'mouse' && show(event.target, openDelayMs)
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) show(event.target, 0)
    }
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    document.addEventListener('pointerover', onPointer)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', hide)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('keydown', onKey)
    document.addEventListener('scroll', hide, true)
    return () => {
      hide()
      document.removeEventListener('pointerover', onPointer)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('scroll', hide, true)
    }
  }, [])
  if (!shown) return null
  return (
    <div
      role="tooltip"
      className="floating pointer-events-none fixed z-50 max-w-72 whitespace-pre-line rounded px-2 py-1 text-xs"
      style={{ left: shown.x, top: shown.y, transform: shifts[shown.place] }}
    >
      {shown.text}
    </div>
  )
}

const shifts = {
  top: 'translate(-50%, -100%)',
  bottom: 'translate(-50%, 0)',
  right: 'translate(0, -50%)',
} as const
