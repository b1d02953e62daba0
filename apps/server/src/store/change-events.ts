import type { EventBus } from '../lib/event-bus.ts'

/** What was committed; directories in memory replace what they hold. Published after the commit, never before. */
export interface ChangeEvents {
  readonly 'user-changed': { readonly id: number }
  readonly 'token-changed': { readonly id: number; readonly keyHash: string }
  readonly 'channels-changed': { readonly ids: readonly number[] }
  readonly 'options-changed': { readonly keys: readonly string[] }
}

export type ChangeBus = EventBus<ChangeEvents>
