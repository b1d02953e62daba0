import './dom.ts'

// React looks for a window when it is loaded, and a package of CommonJS is loaded before any module of this one: all else comes later.
export const { describePage, screen, waitFor, within } = await import('./page-test.tsx')
export const { Refusal } = await import('./fake-gateway.ts')
export type { PageTest } from './page-test.tsx'
