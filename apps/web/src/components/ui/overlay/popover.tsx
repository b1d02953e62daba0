import {
  cloneElement,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { lazyComponent } from '../../../lib/lazy-component.ts'

export interface PopoverProps {
  readonly trigger: ReactElement<Record<string, unknown>>
  /** Label for screen readers, when the content has no heading. */
  readonly label: string
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly align?: 'start' | 'center' | 'end'
  /** Opens when the pointer rests on it too; a press and the keyboard work as ever. */
  readonly openOnHover?: boolean
  readonly className?: string
  readonly children: ReactNode
}

const loadPopup = () => import('./popover-popup.tsx')
const PopoverPopup = lazyComponent(loadPopup, 'PopoverPopup')

/**
 * A small panel tied to a button: an editor for one filter, details of one figure. The panel's own code loads when a
 * pointer or the focus comes near the button, and is not part of a page's first load.
 */
export function Popover(props: PopoverProps) {
  const { trigger, label, align = 'start', openOnHover = false, className, children } = props
  const anchor = useRef<HTMLElement | null>(null)
  const [ownOpen, setOwnOpen] = useState(false)
  const [passive, setPassive] = useState(false)
  const open = props.open ?? ownOpen
  const hover = useHoverTimer()

  function show(next: boolean, byHover = false): void {
    hover.cancel()
    setPassive(next && byHover)
    setOwnOpen(next)
    props.onOpenChange?.(next)
  }
  function enter(event: PointerEvent): void {
    void loadPopup()
    if (!openOnHover || event.pointerType !== 'mouse') return
    if (open) hover.cancel()
    else hover.start(openDelayMs, () => show(true, true))
  }
  function leave(): void {
    if (open && passive) hover.start(closeDelayMs, () => show(false))
    else hover.cancel()
  }

  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'data-popup-open': open ? '' : undefined,
        onPointerEnter: enter,
        onPointerLeave: leave,
        onFocus: loadPopup,
        // A press on what the pointer opened keeps it open.
        onClick: () => show(!open || passive),
      })}
      {open && (
        <Suspense>
          <PopoverPopup
            key={String(passive)}
            anchor={anchor}
            label={label}
            align={align}
            passive={passive}
            onClose={() => show(false)}
            onPointerEnter={hover.cancel}
            onPointerLeave={leave}
            className={className}
          >
            {children}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}

const openDelayMs = 200
const closeDelayMs = 150

/** One thing that happens unless the pointer moves on. */
function useHoverTimer() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    start(delayMs: number, then: () => void) {
      clearTimeout(timer.current)
      timer.current = setTimeout(then, delayMs)
    },
    cancel: () => clearTimeout(timer.current),
  }
}
