import { type ReactNode, startTransition, useEffect, useState } from 'react'

export interface AfterPaintProps {
  readonly children: ReactNode
  /** Hears that the children are there. */
  readonly onDrawn?: () => void
}

/**
 * Draws what is below the first screen of something long, once that is on screen and in a task that the browser may interrupt: a key press or
 * a scroll does not wait for it. Nothing that a person types belongs into a state of the children before.
 */
export function AfterPaint({ children, onDrawn }: AfterPaintProps): ReactNode {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => startTransition(() => setDrawn(true)), [])
  useEffect(() => {
    if (isDrawn) onDrawn?.()
  }, [isDrawn, onDrawn])
  return isDrawn && children
}
