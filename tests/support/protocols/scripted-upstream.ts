import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { until } from '../until.ts'
import { cut, pause, write } from '../upstream/sending.ts'
import { garbledSse, type Protocol, type ReceivedCall, receiveCall, type Scripted } from './protocol.ts'

/** An upstream that speaks one vendor's protocol over a socket, and misbehaves on request. */
export interface ScriptedUpstream {
  /** Root for a channel's base URL. */
  readonly url: string
  readonly protocol: Protocol
  /** Every call since the start or the last `forget`, oldest first. */
  readonly calls: readonly ReceivedCall[]
  /** Sets the behaviour for calls for one model, by the upstream's name for it. */
  on(model: string, behaviour: ScriptedBehaviour): void
  /** Sets the behaviour for all other calls. */
  otherwise(behaviour: ScriptedBehaviour): void
  /** Forgets calls and behaviours. */
  forget(): void
  /** The first call, as soon as there is one. */
  call(timeoutMs?: number): Promise<ReceivedCall>
  stop(): Promise<void>
}

export interface ScriptedExchange {
  readonly call: ReceivedCall
  readonly response: ServerResponse
  readonly protocol: Protocol
}

/** Tests may write their own. */
export type ScriptedBehaviour = (exchange: ScriptedExchange) => Promise<void> | void

/** Starts an upstream on a free loopback port. Calls that its vendor would refuse are refused, whatever is scripted. */
export async function startScriptedUpstream(protocol: Protocol): Promise<ScriptedUpstream> {
  const calls: ReceivedCall[] = []
  const behaviours = new Map<string, ScriptedBehaviour>()
  let fallback: ScriptedBehaviour = says({ text: ['Hello.'] })
  const sockets = new Set<Socket>()

  const server = createServer(async (request, response) => {
    const call: { -readonly [K in keyof ReceivedCall]: ReceivedCall[K] } = await receiveCall(request)
    calls.push(call)
    response.on('close', () => {
      if (!response.writableFinished) call.abortedAt = performance.now()
    })
    const exchange = { call, response, protocol }
    const fault = protocol.fault(call)
    if (fault !== undefined) return refuses(fault.status, fault.message)(exchange)
    await (behaviours.get(protocol.modelOf(call)) ?? fallback)(exchange)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    protocol,
    calls,
    on: (model, behaviour) => void behaviours.set(model, behaviour),
    otherwise(behaviour) {
      fallback = behaviour
    },
    forget() {
      calls.length = 0
      behaviours.clear()
      fallback = says({ text: ['Hello.'] })
    },
    call: (timeoutMs) => until(() => calls[0], timeoutMs),
    async stop() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

interface Pace {
  /** Pause before the first byte. */
  readonly delayMs?: number
  /** Pause before each event that delivers something. */
  readonly eventDelayMs?: number
}

/** A well-behaved response, streamed when the caller asks for a stream. */
export function says(reply: Scripted, pace: Pace = {}): ScriptedBehaviour {
  return async (exchange) => {
    const { call, response, protocol } = exchange
    await pause(pace.delayMs)
    if (!protocol.wantsStream(call)) return sendBody(response, 200, protocol.buffered(reply, call))
    openStream(exchange)
    await sendFrames(exchange, reply, Number.POSITIVE_INFINITY, pace)
    response.end()
  }
}

/** A refusal in the vendor's error shape. */
export function refuses(status: number, message = `refused with ${status}`): ScriptedBehaviour {
  return ({ response, protocol }) => {
    const refusal = protocol.refusal(status, message)
    sendBody(response, refusal.status ?? status, refusal.body, refusal.headers)
  }
}

/** A stream that breaks off after that many events with content; 0 lets only what comes before them through. */
export function cutsAfter(deliveries: number, reply: Scripted): ScriptedBehaviour {
  return async (exchange) => {
    openStream(exchange)
    await sendFrames(exchange, reply, deliveries)
    await cut(exchange.response)
  }
}

/** A stream that carries the vendor's error event after that many events with content. */
export function failsAfter(deliveries: number, reply: Scripted, message: string): ScriptedBehaviour {
  return async (exchange) => {
    openStream(exchange)
    await sendFrames(exchange, reply, deliveries)
    await write(exchange.response, exchange.protocol.failure(message))
    exchange.response.end()
  }
}

/** A stream whose event after that many with content is cut in half; all others are complete. */
export function garblesAfter(deliveries: number, reply: Scripted): ScriptedBehaviour {
  return async (exchange) => {
    const { call, response, protocol } = exchange
    openStream(exchange)
    let delivered = 0
    for (const frame of protocol.frames(reply, call)) {
      if (response.destroyed) return
      if (frame.delivers) delivered += 1
      const isGarbled = frame.delivers && delivered === deliveries + 1
      await write(response, isGarbled ? (protocol.garbled ?? garbledSse(frame)) : frame.bytes)
    }
    response.end()
  }
}

/** A stream that stays silent after that many events with content, until the other side hangs up. */
export function stallsAfter(deliveries: number, reply: Scripted): ScriptedBehaviour {
  return async (exchange) => {
    openStream(exchange)
    await sendFrames(exchange, reply, deliveries)
  }
}

/** Silent at first, then the given behaviour. */
export function waits(ms: number, behaviour: ScriptedBehaviour): ScriptedBehaviour {
  return async (exchange) => {
    await pause(ms)
    await behaviour(exchange)
  }
}

function openStream({ response, protocol }: ScriptedExchange): void {
  response.writeHead(200, { 'content-type': protocol.streamType, 'cache-control': 'no-cache' })
  response.flushHeaders()
}

/** Frames up to the one that would deliver more than `limit`; stops when the other side hangs up. */
async function sendFrames(
  { call, response, protocol }: ScriptedExchange,
  reply: Scripted,
  limit: number,
  { eventDelayMs }: Pace = {},
): Promise<void> {
  let delivered = 0
  for (const frame of protocol.frames(reply, call)) {
    if (frame.delivers) {
      if (delivered === limit) return
      delivered += 1
      await pause(eventDelayMs)
    }
    if (response.destroyed) return
    await write(response, frame.bytes)
  }
}

function sendBody(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
