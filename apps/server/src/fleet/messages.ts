import { z } from 'zod'
import type { Logger } from '../lib/logger.ts'

/** A kind of message: its name, and the form in which others read it, whatever version sent it. */
export interface MessageKind<Body> {
  readonly kind: string
  readonly body: z.ZodType<Body>
}

/**
 * What parts of one node say to the same parts of all others. A message is lost for a node that does not hear at that moment:
 * nothing may depend on its arrival.
 */
export interface FleetMessages {
  /** To every other node. @param body less than 8 kB as JSON */
  send<Body>(message: MessageKind<Body>, body: Body): void
  /** Returns the function that ends the subscription. @param handler gets the id of the node that sent it */
  subscribe<Body>(message: MessageKind<Body>, handler: (body: Body, from: string) => void): () => void
}

/** On the only node: there is nobody to hear. */
export const noMessages: FleetMessages = {
  send: () => undefined,
  subscribe: () => () => undefined,
}

const envelope = z.object({ from: z.string(), kind: z.string(), body: z.unknown() })

interface Dependencies {
  readonly node: string
  readonly notify: (payload: string) => Promise<void>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** Messages over notifications: `received` takes the payload of each. */
export function createMessages({ node, notify, logger }: Dependencies) {
  const subscriptions = new Map<string, Set<(body: unknown, from: string) => void>>()
  const messages: FleetMessages = {
    send({ kind }, body) {
      notify(JSON.stringify({ from: node, kind, body })).catch((err: unknown) =>
        logger.warn({ err, kind }, 'a message to other nodes was not sent'),
      )
    },
    subscribe({ kind, body: form }, handler) {
      const read = (body: unknown, from: string) => {
        const parsed = form.safeParse(body)
        if (parsed.success) handler(parsed.data, from)
        else logger.warn({ kind, from }, 'a message of another version of Tollgate cannot be read')
      }
      const handlers = subscriptions.get(kind) ?? new Set()
      subscriptions.set(kind, handlers.add(read))
      return () => handlers.delete(read)
    },
  }
  function received(payload: string): void {
    const parsed = envelope.safeParse(JSON.parse(payload))
    if (!parsed.success || parsed.data.from === node) return
    const { kind, body, from } = parsed.data
    for (const read of subscriptions.get(kind) ?? []) {
      try {
        read(body, from)
      } catch (err) {
        logger.error({ err, kind }, 'a message of another node could not be handled')
      }
    }
  }
  return { messages, received }
}
