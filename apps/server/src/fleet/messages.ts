import { z } from 'zod'
import type { Logger } from '../lib/logger.ts'

/**
 * Messages between the same parts of all nodes: JSON of less than 8 kB, told apart by its field `type`. A message is lost for a node
 * that does not listen at that moment: nothing may depend on its arrival. Another version of Tollgate may have sent it.
 */
export interface FleetMessages {
  /** Sends to every other node. Rejects while they cannot be reached. */
  send(message: object): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(handler: (message: unknown) => void): () => void
}

/** Messages of the only node: nobody receives them. */
export const noMessages: FleetMessages = {
  send: async () => undefined,
  subscribe: () => () => undefined,
}

const envelope = z.object({ from: z.string(), message: z.unknown() })

interface Dependencies {
  readonly node: string
  readonly notify: (payload: string) => Promise<void>
  readonly logger: Pick<Logger, 'error'>
}

/** Messages over notifications: `received` takes the payload of each. */
export function createMessages({ node, notify, logger }: Dependencies) {
  const handlers = new Set<(message: unknown) => void>()
  const messages: FleetMessages = {
    send: (message) => notify(JSON.stringify({ from: node, message })),
    subscribe(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
  function received(payload: string): void {
    const { from, message } = envelope.parse(JSON.parse(payload))
    if (from === node) return
    for (const handle of handlers) {
      try {
        handle(message)
      } catch (err) {
        logger.error(
          { err },
          'a change of another node was not taken over, and is read anew within seconds: report it if this repeats',
        )
      }
    }
  }
  return { messages, received }
}
