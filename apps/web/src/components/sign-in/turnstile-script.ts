/** Functions of Cloudflare's script that are used. */
export interface Turnstile {
  render(
    container: HTMLElement,
    options: {
      readonly sitekey: string
      readonly theme: 'light' | 'dark'
      readonly language: string
      readonly size: 'flexible'
      readonly callback: (response: string) => void
      readonly 'expired-callback': () => void
    },
  ): string
  remove(widget: string): void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

const address = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
/** The server lets Cloudflare's script into documents opened at these addresses, and into no other. */
const openedAt: readonly string[] = ['/login', '/register', '/reset', '/personal']

let loading: Promise<Turnstile> | undefined

/** Fetches the script once. A document opened elsewhere may not run it, and is opened again at this address. */
export function loadTurnstile(): Promise<Turnstile> {
  if (reopenForHumanCheck()) return new Promise(() => {})
  loading ??= fetchScript().catch((cause: unknown) => {
    loading = undefined
    throw cause
  })
  return loading
}

/** Reloads a document that may not run the script at this address; returns whether it does. */
export function reopenForHumanCheck(): boolean {
  const [document] = performance.getEntriesByType('navigation')
  if (document === undefined || openedAt.includes(new URL(document.name).pathname)) return false
  window.location.reload()
  return true
}

function fetchScript(): Promise<Turnstile> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.onload = () => {
      if (window.turnstile) resolve(window.turnstile)
      else reject(new Error('the script offers no widget'))
    }
    script.onerror = () => {
      script.remove()
      reject(new Error('the script did not load'))
    }
    document.head.append(script)
  })
}
