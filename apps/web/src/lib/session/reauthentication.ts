import { readLocalJson, writeLocal } from '../browser/local-store.ts'
import { createSharedState, useSharedState } from '../shared-state.ts'

/** A call was refused until its person proves once more who they are: the frame asks, and the caller waits. */
interface PendingProof {
  readonly outcome: Promise<boolean>
  readonly answer: (isProven: boolean) => void
}

const pending = createSharedState<PendingProof | undefined>(undefined)

/** Resolves to whether the proof was given. Calls that are refused at the same time wait for the same one. */
export function requestProof(): Promise<boolean> {
  const known = pending.get()
  if (known !== undefined) return known.outcome
  let answer: PendingProof['answer'] = () => {}
  const outcome = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  pending.set({ outcome, answer })
  return outcome
}

/** Ends the demand for a proof: the person has proven who they are, or declined. */
export function endProof(isProven: boolean): void {
  const known = pending.get()
  pending.set(undefined)
  writeLocal('proving', null)
  known?.answer(isProven)
}

export function useProofRequested(): boolean {
  return useSharedState(pending) !== undefined
}

/** Providers send the browser back to one page, whatever for: this says that it is for a proof. */
interface Proving {
  readonly provider: string
  readonly until: number
}

const provingMs = 600_000

/** Notes that the person leaves for a provider in another tab. */
export function startProviderProof(provider: string): void {
  writeLocal('proving', JSON.stringify({ provider, until: Date.now() + provingMs } satisfies Proving))
}

/** Decides whether the return from this provider is a reauthentication. */
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

/** The session ended under something typed: the frame asks for the password over it. */
const asking = createSharedState(false)

export function requestReauthentication(): void {
  asking.set(true)
}

export function endReauthentication(): void {
  asking.set(false)
}

export function useReauthentication(): boolean {
  return useSharedState(asking)
}
