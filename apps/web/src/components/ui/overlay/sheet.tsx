import { lazyFile, lazyOverlay } from './lazy-overlay.tsx'

export type { SheetProps } from './sheet-panel.tsx'

const file = lazyFile(() => import('./sheet-panel.tsx'))

/** A panel at the right for creating, editing and looking closely; the whole screen on a phone. */
export const Sheet = lazyOverlay(file, ({ SheetPanel }) => SheetPanel)

/** The panel of a sheet whose content changes while it is open: the `Sheet` within has none of its own. */
export const SheetFrame = lazyOverlay(file, (content) => content.SheetFrame)
