import { readLocalJson, writeLocal } from './local-store.ts'
import { endProof } from './step-up.ts'

/** Providers send the browser back to one page, whatever for: this says that it is for a proof. */
interface Proving {
  readonly provider: string
  readonly until: number
}

const provingMs = 600_000

/** The person leaves for a provider in another tab. */
export function startProviderProof(provider: string): void {
  writeLocal('proving', JSON.stringify({ provider, until: Date.now() + provingMs } satisfies Proving))
}

/** Whether whoever comes back from this provider does so for a proof. */
export function isProviderProof(provider: string): boolean {
  const proving = readLocalJson('proving', looksLikeProving)
  return proving?.provider === provider && proving.until > Date.now()
}

function looksLikeProving(value: unknown): value is Proving {
  return typeof value === 'object' && value !== null && 'provider' in value && 'until' in value
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('tollgate-proof') : undefined
channel?.addEventListener('message', () => endProof(true))

/** Tells the tab that asks that the proof was given in this one. */
export function reportProof(): void {
  writeLocal('proving', null)
  channel?.postMessage('given')
}
