/** Methods that a browser which is full refuses, and those of one that forbids storage. */
const refused = { full: ['setItem'], forbidden: ['setItem', 'getItem', 'removeItem'] } as const
export const refusals = Object.keys(refused) as readonly Refusal[]
type Refusal = keyof typeof refused

/** Makes local storage refuse until the function that it returns is called. */
export function refuseStorage(refusal: Refusal): () => void {
  const own = globalThis.localStorage
  const refuse = () => {
    throw new DOMException('not stored', 'QuotaExceededError')
  }
  const methods = {
    getItem: (key: string) => own.getItem(key),
    removeItem: (key: string) => own.removeItem(key),
  }
  const refusing = { ...methods, ...Object.fromEntries(refused[refusal].map((name) => [name, refuse])) }
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: refusing })
  return () => Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: own })
}

/** Tells the page that another tab has changed a key, or all of them. */
export function reportOtherTab(key: string | null = null): void {
  window.dispatchEvent(new StorageEvent('storage', { key }))
}
