import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { until } from '../until.ts'
import { type Behaviour, respond } from './behaviours.ts'
import { sendJson } from './sending.ts'
import { modelList, prompted, type UpstreamCall } from './wire.ts'

/**
 * An upstream that speaks the OpenAI protocol over a real socket, and misbehaves on request.
 *
 *     const upstream = await startUpstream()
 *     upstream.on('gpt-4o-mini', inTurn(refuse(429), respond({ text: 'Hello', eventDelayMs: 10 })))
 *     … point a channel at upstream.url …
 *     upstream.calls[0].abortedAt   // when the gateway hung up, on the clock of performance.now()
 *
 * It uses node:http instead of Bun.serve, because only a handler that holds the socket can reset it.
 */
export interface Upstream {
  /** Root for a channel's base URL: calls arrive at `<url>/v1/…`. */
  readonly url: string
  /** Every call since the start or the last `forget`, oldest first. */
  readonly calls: readonly UpstreamCall[]
  /** Sets the behaviour for calls for one model. Models without a behaviour get `respond()`. */
  on(model: string, behaviour: Behaviour): void
  /** Sets the behaviour for calls for models without one of their own. */
  otherwise(behaviour: Behaviour): void
  /** Forgets calls and behaviours. */
  forget(): void
  /** Calls without a response that are not aborted. */
  open(): readonly UpstreamCall[]
  /** The first call that fits, as soon as there is one. */
  call(fits: (call: UpstreamCall) => boolean, timeoutMs?: number): Promise<UpstreamCall>
  stop(): Promise<void>
}

/** Starts an upstream on a free loopback port. */
export async function startUpstream(): Promise<Upstream> {
  const calls: MutableCall[] = []
  const behaviours = new Map<string, Behaviour>()
  let fallback: Behaviour = respond()
  const sockets = new Set<Socket>()

  const server = createServer(async (request, response) => {
    const call = await receive(request)
    calls.push(call)
    watchEnd(call, response)
    if (call.path === '/v1/models') return sendJson(response, 200, modelList([...behaviours.keys()]))
    const behaviour = behaviours.get(call.model) ?? fallback
    await behaviour({ call, response, prompt: prompted(call), sent: () => void call.eventsSent++ })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    on: (model, behaviour) => void behaviours.set(model, behaviour),
    otherwise(behaviour) {
      fallback = behaviour
    },
    forget() {
      calls.length = 0
      behaviours.clear()
      fallback = respond()
    },
    open: () => calls.filter((call) => call.endedAt === undefined && call.abortedAt === undefined),
    call: (fits, timeoutMs) => until(() => calls.find(fits), timeoutMs),
    async stop() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

type MutableCall = { -readonly [K in keyof UpstreamCall]: UpstreamCall[K] }

async function receive(request: IncomingMessage): Promise<MutableCall> {
  const receivedAt = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const json = parse(body)
  return {
    method: request.method ?? '',
    path: (request.url ?? '').replace(/\?.*$/, ''),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    json,
    model: typeof json.model === 'string' ? json.model : '',
    isStream: json.stream === true,
    receivedAt,
    eventsSent: 0,
    endedAt: undefined,
    abortedAt: undefined,
  }
}

function parse(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

function watchEnd(call: MutableCall, response: ServerResponse): void {
  response.on('close', () => {
    if (response.writableFinished) call.endedAt = performance.now()
    else call.abortedAt = performance.now()
  })
}
