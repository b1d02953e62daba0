import type { Application } from '../connection-host.ts'
import type { DisconnectListener, InboundRequest } from '../inbound-request.ts'
import type { BodySink, Reply, StreamedBody } from '../reply.ts'
import { textReply } from './call.ts'

/** Responds with the request: method, target and body. */
export async function echo(request: InboundRequest): Promise<Reply> {
  const body = await request.buffered(Number.POSITIVE_INFINITY)
  return textReply(`${request.method} ${request.target} ${Buffer.from(body ?? []).toString('latin1')}`)
}

export const answering =
  (reply: Reply): Application =>
  async () =>
    reply

type Outcome = ReturnType<typeof Promise.withResolvers<Reply>>

/** An application whose requests are answered when the test says so. */
export class ManualApplication {
  readonly requests: InboundRequest[] = []
  readonly #replies: Outcome[] = []

  readonly application: Application = (request) => {
    const reply = Promise.withResolvers<Reply>()
    this.requests.push(request)
    this.#replies.push(reply)
    return reply.promise
  }

  get targets(): readonly string[] {
    return this.requests.map(({ target }) => target)
  }

  /** The request that came as number `index`, which must have come. */
  request(index = 0): InboundRequest {
    return provided(this.requests[index])
  }

  response(reply: Reply, index = 0): void {
    provided(this.#replies[index]).resolve(reply)
  }

  fail(error: unknown, index = 0): void {
    provided(this.#replies[index]).reject(error)
  }
}

/** Counts the reports that the caller of a request is gone. */
export class DisconnectCounter implements DisconnectListener {
  times = 0

  constructor(request: InboundRequest) {
    request.onDisconnect(this)
  }

  disconnected(): void {
    this.times += 1
  }
}

/** A body that is streamed when the test says so. */
export class ManualBody implements StreamedBody {
  #sink: BodySink | undefined

  pipe(sink: BodySink): void {
    this.#sink = sink
  }

  get isStreamed(): boolean {
    return this.#sink !== undefined
  }

  get sink(): BodySink {
    return provided(this.#sink)
  }

  write(...texts: readonly string[]): boolean {
    return this.sink.write(texts.map((text) => Buffer.from(text, 'latin1')))
  }
}

/** Replies with a body that is made by `pipe`. */
export function streamed(pipe: (sink: BodySink) => void, status = 200): Reply {
  return { status, headers: {}, body: { pipe } }
}

export function provided<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it has not come')
  return value
}
