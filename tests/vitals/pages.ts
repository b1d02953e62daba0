/** A page whose speed is measured, and who opens it. */
export interface VitalPage {
  readonly path: string
  readonly loggedIn: boolean
  /** The page on which one clicks the link to it: set for lists, whose rows are waited for. */
  readonly from?: string
}

/** The largest layout shift of a page that is good: https://web.dev/articles/cls */
export const maxLayoutShift = 0.1

export const vitalPages: readonly VitalPage[] = [
  { path: '/', loggedIn: false },
  { path: '/login', loggedIn: false },
  { path: '/pricing', loggedIn: false, from: '/' },
  { path: '/detail', loggedIn: true },
  { path: '/channel', loggedIn: true, from: '/personal' },
  { path: '/log', loggedIn: true, from: '/personal' },
  { path: '/token', loggedIn: true, from: '/personal' },
  { path: '/models', loggedIn: true, from: '/personal' },
  { path: '/user', loggedIn: true, from: '/personal' },
  { path: '/setting', loggedIn: true },
  { path: '/topup', loggedIn: true },
  { path: '/playground', loggedIn: true },
]
