import type { ConfirmationRequest, Consent } from '@tollgate/api'
import { createSharedState, useSharedState } from '../shared-state.ts'

/** A change waits until its consequences are confirmed. */
export interface PendingConsent {
  /** The consequences, in the person's language. */
  readonly message: string
  readonly request: ConfirmationRequest
  readonly answer: (consent: Consent | undefined) => void
}

const pending = createSharedState<PendingConsent | undefined>(undefined)
let last: Promise<unknown> = Promise.resolve()

/** Asks about one change at a time: a page may save several at once. `undefined` where the person would rather not. */
export function requestConsent(message: string, request: ConfirmationRequest): Promise<Consent | undefined> {
  const requested = last.then(() => ask(message, request))
  last = requested
  return requested
}

function ask(message: string, request: ConfirmationRequest): Promise<Consent | undefined> {
  return new Promise((resolve) => {
    pending.set({
      message,
      request,
      answer(consent) {
        pending.set(undefined)
        resolve(consent)
      },
    })
  })
}

/** The question on screen, for the frame. */
export function usePendingConsent(): PendingConsent | undefined {
  return useSharedState(pending)
}
