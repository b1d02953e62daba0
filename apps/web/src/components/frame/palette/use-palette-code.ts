import { useCallback, useEffect, useState } from 'react'
import { loadTexts } from '../../../i18n/index.ts'
import { whenUsed } from '../../../lib/browser/when-used.ts'

type PaletteModule = typeof import('./command-palette.tsx')

let loaded: PaletteModule | undefined

/** Loads the palette's code and texts once; rejects where the server is away. */
async function loadPalette(): Promise<PaletteModule> {
  const [code] = await Promise.all([import('./command-palette.tsx'), loadTexts('shell')])
  loaded = code
  return code
}

/**
 * Returns the palette's component, and `undefined` while its code is loading. It loads at once for a person who has opened it, and
 * for one who is likely to after the first move on the page, so that the first opening waits for nothing.
 */
export function usePaletteCode(
  open: boolean,
  isLikely: boolean,
): PaletteModule['CommandPalette'] | undefined {
  const [code, setCode] = useState(loaded)
  const load = useCallback(() => void loadPalette().then(setCode, () => undefined), [])
  useEffect(() => {
    if (open) return load()
    return isLikely ? whenUsed(load) : undefined
  }, [open, isLikely, load])
  return code?.CommandPalette
}
