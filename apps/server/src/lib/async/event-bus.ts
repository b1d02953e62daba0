/** A listener with work in the background returns its promise; what others return is ignored. */
type Listener<Event> = (event: Event) => unknown

/** Publishes what was committed. Listeners run at once, in order; one that throws does not stop the others. */
export interface EventBus<Events extends object> {
  publish<Name extends keyof Events>(name: Name, event: Events[Name]): void
  /** Publishes, and resolves when the listeners have finished: what was committed is in force in this process then. */
  publishAndSettle<Name extends keyof Events>(name: Name, event: Events[Name]): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void
}

export function createEventBus<Events extends object>(onError: (error: unknown) => void): EventBus<Events> {
  const listeners = new Map<keyof Events, Set<Listener<never>>>()

  async function tell(listener: Listener<never>, event: unknown): Promise<void> {
    try {
      await listener(event as never)
    } catch (error) {
      onError(error)
    }
  }

  const tellAll = (name: keyof Events, event: unknown): Promise<void>[] =>
    [...(listeners.get(name) ?? [])].map((listener) => tell(listener, event))

  return {
    publish(name, event) {
      tellAll(name, event)
    },
    async publishAndSettle(name, event) {
      await Promise.all(tellAll(name, event))
    },
    subscribe(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
  }
}
