import { lazyOverlay } from './lazy-overlay.tsx'

export type { SheetProps } from './sheet-panel.tsx'

/** A panel at the right for creating, editing and looking closely; the whole screen on a phone. */
export const Sheet = lazyOverlay(async () => (await import('./sheet-panel.tsx')).SheetPanel)

/** The panel of a sheet whose content changes while it is open: the `Sheet` within has none of its own. */
export const SheetFrame = lazyOverlay(async () => (await import('./sheet-panel.tsx')).SheetFrame)
