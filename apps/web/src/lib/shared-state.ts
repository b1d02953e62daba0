import { useSyncExternalStore } from 'react'

/** A value that code outside React sets and components follow. */
export interface SharedState<Value> {
  readonly get: () => Value
  readonly set: (value: Value) => void
  /** Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createSharedState<Value>(initial: Value): SharedState<Value> {
  const listeners = new Set<() => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export function useSharedState<Value>(state: SharedState<Value>): Value {
  return useSyncExternalStore(state.subscribe, state.get)
}
