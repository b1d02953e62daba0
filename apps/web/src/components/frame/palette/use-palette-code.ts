import { useCallback, useEffect, useState } from 'react'
import { loadTexts } from '../../../i18n/index.ts'

type PaletteModule = typeof import('./command-palette.tsx')

let loaded: PaletteModule | undefined

/** Loads the palette's code and texts once; rejects where the server is away. */
async function loadPalette(): Promise<PaletteModule> {
  const [code] = await Promise.all([import('./command-palette.tsx'), loadTexts('shell')])
  loaded = code
  return code
}

/** Loads the palette while nothing else is to be done, so that the first opening waits for nothing. */
function whenIdle(run: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 2000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 5000 })
  return () => cancelIdleCallback(handle)
}

/**
 * Returns the palette's component, and `undefined` while its code is loading. It loads at once for a person who has opened it, and
 * when the page is idle for one who is likely to.
 */
export function usePaletteCode(
  open: boolean,
  isLikely: boolean,
): PaletteModule['CommandPalette'] | undefined {
  const [code, setCode] = useState(loaded)
  const load = useCallback(() => void loadPalette().then(setCode, () => undefined), [])
  useEffect(() => {
    if (open) return load()
    return isLikely ? whenIdle(load) : undefined
  }, [open, isLikely, load])
  return code?.CommandPalette
}
