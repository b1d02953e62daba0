import {
  cut,
  type Exchange,
  endStream,
  type Headers,
  openStream,
  pause,
  sendEvents,
  sendJson,
  sendText,
  write,
} from './sending.ts'
import { completeReply, event, type Reply } from './wire.ts'

/** Behaviour of the upstream for a call. Tests may write their own. */
export type Behaviour = (exchange: Exchange) => Promise<void> | void

/** A well-behaved response, streamed when the caller asks for a stream. */
export function respond(reply: Reply = {}): Behaviour {
  return async (exchange) => {
    const { call, response, prompt } = exchange
    await pause(reply.delayMs)
    if (!call.isStream) return sendJson(response, 200, completeReply(call, prompt, reply), reply.headers)
    openStream(response, reply.headers)
    await sendEvents(exchange, reply)
    await endStream(exchange, reply)
  }
}

/** A refusal in the OpenAI error shape. */
export function refuse(status: number, error: RefusalBody = {}): Behaviour {
  return ({ response }) => {
    const { headers, message = `refused with ${status}`, type = 'api_error', code = null } = error
    sendJson(response, status, { error: { message, type, param: null, code } }, headers)
  }
}

export interface RefusalBody {
  readonly message?: string
  readonly type?: string
  readonly code?: string | null
  readonly headers?: Headers
}

/** The connection is reset before any response. */
export function reset(): Behaviour {
  return ({ response }) => void response.socket?.resetAndDestroy()
}

/** Status 200 and stream headers, then the end without a single event. */
export function emptyStream(): Behaviour {
  return ({ response }) => {
    openStream(response)
    response.end()
  }
}

/** A stream that breaks off after that many events: no finish, no usage, the connection gone. */
export function cutAfter(events: number, reply: Reply = {}): Behaviour {
  return async (exchange) => {
    await pause(reply.delayMs)
    openStream(exchange.response, reply.headers)
    await sendEvents(exchange, reply, events)
    await cut(exchange.response)
  }
}

/** A stream that ends in good order after that many events, but without finish, usage and `[DONE]`. */
export function endAfter(events: number, reply: Reply = {}): Behaviour {
  return async (exchange) => {
    openStream(exchange.response, reply.headers)
    await sendEvents(exchange, reply, events)
    exchange.response.end()
  }
}

/** A stream that carries an error event after that many events (0: as its first word). */
export function errorEventAfter(events: number, error: RefusalBody = {}, reply: Reply = {}): Behaviour {
  return async (exchange) => {
    openStream(exchange.response, reply.headers)
    await sendEvents(exchange, reply, events)
    const { message = 'the model stopped', type = 'server_error', code = null } = error
    await write(exchange.response, event({ error: { message, type, param: null, code } }))
    exchange.response.end()
  }
}

/** Status 200, but the body (or the first stream event) is not JSON. */
export function malformedJson(): Behaviour {
  return ({ call, response }) => {
    if (!call.isStream)
      return sendText(response, 200, '{"id": "chatcmpl-1", "choices": [', 'application/json')
    openStream(response)
    response.end('data: {"id": "chatcmpl-1", "choices": [\n\ndata: [DONE]\n\n')
  }
}

/** A stream that sends that many events and then stays silent until the other side hangs up. */
export function stallAfter(events: number, reply: Reply = {}): Behaviour {
  return async (exchange) => {
    openStream(exchange.response, reply.headers)
    await sendEvents(exchange, reply, events)
  }
}

/** Nothing at all until the other side hangs up. */
export function hang(): Behaviour {
  return () => {}
}

/** Any status, body and type, as a proxy in between might send. */
export function sendRaw(status: number, body: string, contentType = 'text/html'): Behaviour {
  return ({ response }) => sendText(response, status, body, contentType)
}

/** The first call gets the first behaviour, the next call the next; the last one stays. */
export function inTurn(...behaviours: readonly [Behaviour, ...Behaviour[]]): Behaviour {
  let next = 0
  return (exchange) => {
    const behaviour = behaviours[Math.min(next, behaviours.length - 1)] ?? behaviours[0]
    next += 1
    return behaviour(exchange)
  }
}
