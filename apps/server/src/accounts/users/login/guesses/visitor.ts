import { AsyncLocalStorage } from 'node:async_hooks'
import type { KnownDevice } from './known-devices.ts'

/** Maker of a call, with the facts that distinguish the owner of an account from strangers. */
export interface Visitor {
  readonly address: string
  /** Browsers that the call proves to come from, of whatever account. */
  readonly devices: readonly KnownDevice[]
  /** Id of the session's user; `undefined` without a session. */
  readonly userId: number | undefined
}

/** Beside the call's arguments, so that every check of a secret has it, whichever road leads there. */
const calls = new AsyncLocalStorage<{ readonly visitor: Visitor; isHuman: boolean }>()

/** Runs a call of this visitor. */
export function asVisitor<T>(visitor: Visitor, run: () => T): T {
  return calls.run({ visitor, isHuman: false }, run)
}

/** The visitor whose call runs, and whether they passed the human check in it; `undefined` outside of calls. */
export function currentVisitor(): (Visitor & { readonly isHuman: boolean }) | undefined {
  const call = calls.getStore()
  return call && { ...call.visitor, isHuman: call.isHuman }
}

/** Notes that the visitor has passed the human check in this call. */
export function notePassedHumanCheck(): void {
  const call = calls.getStore()
  if (call !== undefined) call.isHuman = true
}
