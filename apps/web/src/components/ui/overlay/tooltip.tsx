import { cloneElement, type ReactElement, useEffect, useState } from 'react'

export interface TooltipProps {
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

interface Visible {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly position: 'top' | 'bottom' | 'right'
}

const openDelayMs = 350
const gap = 6
const edge = 8

function measure(target: HTMLElement): Visible {
  const box = target.getBoundingClientRect()
  const text = target.dataset.tooltip ?? ''
  if (target.dataset.tooltipSide === 'right') {
    return { text, x: box.right + gap, y: box.top + box.height / 2, position: 'right' }
  }
  const middle = Math.min(Math.max(box.left + box.width / 2, edge), window.innerWidth - edge)
  return box.top < 48
    ? { text, x: middle, y: box.bottom + gap, position: 'bottom' }
    : { text, x: middle, y: box.top - gap, position: 'top' }
}

/** Draws the tooltip of whatever the pointer or the focus is on. Once, in the frame. */
export function TooltipLayer() {
  const [visible, setVisible] = useState<Visible>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let current: HTMLElement | undefined
    const hide = () => {
      clearTimeout(timer)
      current = undefined
      setVisible(undefined)
    }
    const show = (target: EventTarget | null, delayMs: number) => {
      const element = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
      if (element === current) return
      hide()
      if (!element) return
      current = element
      timer = setTimeout(() => element.isConnected && setVisible(measure(element)), delayMs)
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
  if (!visible) return null
  return (
    <div
      role="tooltip"
      className="floating pointer-events-none fixed z-50 max-w-72 whitespace-pre-line rounded px-2 py-1 text-xs"
      style={{ left: visible.x, top: visible.y, transform: shifts[visible.position] }}
    >
      {visible.text}
    </div>
  )
}

const shifts = {
  top: 'translate(-50%, -100%)',
  bottom: 'translate(-50%, 0)',
  right: 'translate(0, -50%)',
} as const
