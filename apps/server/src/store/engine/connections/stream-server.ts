import { StoreFault } from '../../errors.ts'
import type { StreamSource, WorkerRequest } from './worker-messages.ts'

/** Makes the pieces of a named stream, each when it is pulled; holds no connection between two. */
export type StreamSources = (source: StreamSource) => AsyncIterable<string | Uint8Array>

/** Streams that a thread makes over its database; loaded with the first of them. */
export type LoadStreams<Thread> = (thread: Thread) => Promise<StreamSources>

/** Refuses every stream: the store's own threads have none. */
export async function noStreams(): Promise<StreamSources> {
  throw new Error('this thread streams nothing')
}

/** Bytes that are worth a message of their own. */
const pieceBytes = 64 * 1024
/** Time after which what there is goes out: a slow source is read as it comes. */
const gatherMs = 100

/** An error of what makes a stream, as opposed to one of the database. */
class StreamError extends Error {
  override readonly name = 'StreamError'
}

/** Thread's side of streams: its reader pulls one piece at a time, and nothing is made ahead. */
export class StreamServer {
  readonly #load: () => Promise<StreamSources>
  readonly #open = new Map<number, AsyncIterator<string | Uint8Array>>()
  #sources: Promise<StreamSources> | undefined

  constructor(load: () => Promise<StreamSources>) {
    this.#load = load
  }

  /** Returns some bytes of their own buffer, or `undefined` at the end. The first pull names the source. */
  async pull({ stream, source }: Extract<WorkerRequest, { op: 'pull' }>): Promise<Uint8Array | undefined> {
    try {
      if (source !== undefined) this.#open.set(stream, await this.#start(source))
      const iterator = this.#open.get(stream)
      if (iterator === undefined) return undefined
      const bytes = await gathered(iterator)
      if (bytes === undefined) this.#open.delete(stream)
      return bytes
    } catch (error) {
      this.#open.delete(stream)
      throw error instanceof StoreFault ? error : new StreamError(messageOf(error))
    }
  }

  /** Ends a stream whose reader has left. */
  async leave(stream: number): Promise<void> {
    const iterator = this.#open.get(stream)
    this.#open.delete(stream)
    await iterator?.return?.()
  }

  /** Ends every stream. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((stream) => this.leave(stream)))
  }

  async #start(source: StreamSource): Promise<AsyncIterator<string | Uint8Array>> {
    this.#sources ??= this.#load()
    return (await this.#sources)(source)[Symbol.asyncIterator]()
  }
}

const encoder = new TextEncoder()

/** Joins pieces up to a size or a time, so that small ones do not cost a message each. */
async function gathered(iterator: AsyncIterator<string | Uint8Array>): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  const end = performance.now() + gatherMs
  let length = 0
  do {
    const { done, value } = await iterator.next()
    if (done === true) break
    const piece = typeof value === 'string' ? encoder.encode(value) : value
    pieces.push(piece)
    length += piece.length
  } while (length < pieceBytes && performance.now() < end)
  return pieces.length === 0 ? undefined : Buffer.concat(pieces, length)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
