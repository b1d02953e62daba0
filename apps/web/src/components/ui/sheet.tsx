import { onceOpen } from './once-open.tsx'

export type { SheetProps } from './sheet-panel.tsx'

/** A panel at the right for creating, editing and looking closely; the whole screen on a phone. */
export const Sheet = onceOpen(async () => (await import('./sheet-panel.tsx')).SheetPanel)
