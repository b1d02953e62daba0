/** Publishes what was committed. Listeners run at once, in order; one that throws does not stop the others. */
export interface EventBus<Events extends object> {
  publish<Name extends keyof Events>(name: Name, event: Events[Name]): void
  /** Returns the function that ends the subscription. */
  subscribe<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
}

export function createEventBus<Events extends object>(onError: (error: unknown) => void): EventBus<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    publish(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
  }
}
