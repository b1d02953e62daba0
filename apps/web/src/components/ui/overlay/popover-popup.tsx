import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'
import { cx } from '../../../lib/cx.ts'

export interface PopoverPopupProps {
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string
  readonly align: 'start' | 'center' | 'end'
  /** Opened by a resting pointer: it takes neither the focus nor the page's keys. */
  readonly passive: boolean
  readonly onClose: () => void
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The panel of an open popover; loaded with the first one that is opened. */
export function PopoverPopup(props: PopoverPopupProps) {
  const { anchor, label, align, passive, onClose, className, children } = props
  function onOpenChange(open: boolean, details: Base.Root.ChangeEventDetails): void {
    if (open) return
    // The button is outside the panel too, but its own click closes it; closing here would make that click open it again.
    const onButton = details.event.target instanceof Node && anchor.current?.contains(details.event.target)
    if (onButton && details.reason === 'outside-press') details.cancel()
    else onClose()
  }
  return (
    <Base.Root open onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align={align} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            data-passive={passive ? '' : undefined}
            initialFocus={!passive}
            finalFocus={passive ? false : anchor}
            onPointerEnter={props.onPointerEnter}
            onPointerLeave={props.onPointerLeave}
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
