import type { ReadableStreamDefaultReader } from 'node:stream/web'
import type { DisconnectListener } from './inbound-request.ts'
import type { BodySink, StreamedBody } from './reply.ts'

/**
 * A `Response` whose body is sent while it is made, under back-pressure; bodies of other responses are collected first.
 * Its body is cancelled when the caller hangs up. One that fails is broken off.
 */
export class StreamedResponse extends Response {}

/** Pipes a web stream to a caller: read no faster than they take it. */
export class PipedStream implements StreamedBody, DisconnectListener {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #disconnected = Promise.withResolvers<void>()

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** The caller hung up. */
  disconnected(): void {
    this.#disconnected.resolve()
    // What fails while it is being ended has nobody left to be told.
    this.#reader.cancel().catch(() => undefined)
  }

  pipe(sink: BodySink): void {
    this.#pump(sink).catch(() => sink.abort())
  }

  async #pump(sink: BodySink): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) return sink.end('')
      if (!sink.write([value])) await this.#drained(sink)
    }
  }

  #drained(sink: BodySink): Promise<void> {
    return Promise.race([
      this.#disconnected.promise,
      new Promise<void>((resolve) => sink.whenDrained(resolve)),
    ])
  }
}
