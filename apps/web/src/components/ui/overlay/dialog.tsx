import { lazyOverlay } from './lazy-overlay.tsx'

export type { DialogProps } from './dialog-popup.tsx'

/** A question or an explanation over the page. Esc and a press outside close it. */
export const Dialog = lazyOverlay(async () => (await import('./dialog-popup.tsx')).DialogPopup)

/** Asks before an action that cannot be undone. The safe choice has the focus. */
export const ConfirmDialog = lazyOverlay(async () => (await import('./dialog-popup.tsx')).ConfirmPopup)
