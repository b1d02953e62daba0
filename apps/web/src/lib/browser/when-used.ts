/** Signs of a person at the page; a touch is a pointer that goes down. */
const signs = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Runs something after the next sign of a person, once nothing else is to be done: a page that opens without anybody at it pays nothing.
 * Returns what calls it off.
 */
export function whenUsed(run: () => void): () => void {
  const listening = new AbortController()
  let callOff: (() => void) | undefined
  const note = () => {
    listening.abort()
    callOff = whenIdle(run)
  }
  for (const sign of signs)
    window.addEventListener(sign, note, { capture: true, passive: true, signal: listening.signal })
  return () => {
    listening.abort()
    callOff?.()
  }
}

function whenIdle(run: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 2000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 5000 })
  return () => cancelIdleCallback(handle)
}
