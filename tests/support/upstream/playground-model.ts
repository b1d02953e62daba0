import type { Behaviour } from './behaviours.ts'
import { endStream, openStream, write } from './sending.ts'
import { event, type Reply } from './wire.ts'

/** A model that thinks first, as some providers stream it, and then says its text in two pieces. */
export function thinkAndReply(reasoning: string, text: string, reply: Reply = {}): Behaviour {
  return async (exchange) => {
    const { call, response } = exchange
    const send = (delta: object) =>
      write(
        response,
        event({
          id: 'chatcmpl-thinking',
          object: 'chat.completion.chunk',
          created: 1_700_000_000,
          model: call.model,
          choices: [{ index: 0, delta, finish_reason: null }],
        }),
      )
    openStream(response)
    await send({ role: 'assistant', reasoning_content: reasoning })
    const middle = Math.floor(text.length / 2)
    await send({ content: text.slice(0, middle) })
    await send({ content: text.slice(middle) })
    await endStream(exchange, reply)
  }
}
