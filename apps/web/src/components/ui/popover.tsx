import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

export interface PopoverProps {
  readonly trigger: ReactElement<Record<string, unknown>>
  /** For screen readers, when the content has no heading. */
  readonly label: string
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly align?: 'start' | 'center' | 'end'
  /** Opens when the pointer rests on it too; a press and the keyboard work as ever. */
  readonly openOnHover?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A small panel tied to a button: an editor for one filter, details of one figure. */
export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = 'start',
  openOnHover = false,
  className,
  children,
}: PopoverProps) {
  return (
    <Base.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange: (next) => onOpenChange(next) })}
    >
      <Base.Trigger render={trigger} openOnHover={openOnHover} delay={200} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            className={cx(
              'floating appear max-w-[calc(100vw-1rem)] rounded-lg p-3 text-sm outline-none',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
