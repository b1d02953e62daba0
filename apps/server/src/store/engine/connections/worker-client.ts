import { StoreFault } from '../../errors.ts'
import type {
  StreamSource,
  WorkerFailure,
  WorkerOpening,
  WorkerRequest,
  WorkerResponse,
} from './worker-messages.ts'

/** Main side of a database worker. Every call resolves or rejects, also when the worker crashes. */
export interface WorkerClient {
  call<Result>(request: WorkerRequest): Promise<Result>
  /** Streams what the worker makes under a name, no faster than it is read; a reader that leaves ends it. */
  stream(source: StreamSource): AsyncIterable<Uint8Array>
  /** False once the worker has ended. */
  readonly alive: boolean
  /** Lets the worker close its connection, then ends it. Calls made later are rejected. */
  close(): Promise<void>
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Time after which a worker that is still reading is terminated. */
const closingMs = 5000

/** @param translate turns the error of the database into the store's */
function createWorkerClient(worker: Worker, translate: Translate): WorkerClient {
  const waiting = new Map<number, Waiting>()
  let calls = 0
  let streams = 0
  let ended = false

  function errorOf(failure: WorkerFailure): Error {
    const { name, message, fault } = failure
    if (name === 'StreamError') return new Error(message)
    return translate(fault === undefined ? failure : new StoreFault(fault, message))
  }

  function end(reason: string): void {
    ended = true
    const fault = new StoreFault('unavailable', reason)
    for (const { reject } of waiting.values()) reject(fault)
    waiting.clear()
  }

  worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
    const asker = waiting.get(data.id)
    waiting.delete(data.id)
    if ('failure' in data) asker?.reject(errorOf(data.failure))
    else asker?.resolve(data.value)
  }
  worker.onerror = (event) => end(`The database worker failed: ${event.message}`)
  worker.addEventListener('close', () => end('The database worker has ended.'))

  function call<Result>(request: WorkerRequest): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(new StoreFault('unavailable', 'The store is closed.'))
      calls += 1
      // The request's kind determines the type of the result; the two sides share worker-messages.ts.
      waiting.set(calls, { resolve: resolve as (value: unknown) => void, reject })
      worker.postMessage({ id: calls, request })
    })
  }

  async function* stream(source: StreamSource): AsyncGenerator<Uint8Array> {
    streams += 1
    const own = streams
    let isOpen = true
    // A worker forgets a stream that failed.
    const next = (request: WorkerRequest) =>
      call<Uint8Array | undefined>(request).catch((error) => {
        isOpen = false
        throw error
      })
    try {
      let bytes = await next({ op: 'pull', stream: own, source })
      for (; bytes !== undefined; bytes = await next({ op: 'pull', stream: own })) yield bytes
      isOpen = false
    } finally {
      if (isOpen) await call({ op: 'leave', stream: own }).catch(() => undefined)
    }
  }

  return {
    call,
    stream,
    get alive() {
      return !ended
    },
    async close() {
      if (ended) return
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, closingMs)
      try {
        await Promise.race([call({ op: 'close' }), patience.promise])
      } finally {
        clearTimeout(timer)
        end('The store is closed.')
        worker.terminate()
      }
    },
  }
}

/** Starts the thread of a program that streams, too. */
export type StartThread = () => Worker

export type Translate = (failure: WorkerFailure | StoreFault) => Error

/** Starts a worker and lets it open its connection. */
export async function startWorker(
  start: () => Worker,
  opening: WorkerOpening,
  translate: Translate,
): Promise<WorkerClient> {
  const link = createWorkerClient(start(), translate)
  try {
    await link.call({ op: 'open', opening })
    return link
  } catch (error) {
    await link.close()
    throw error
  }
}

export interface LazyWorker {
  /** The worker, started on demand. */
  link(): Promise<WorkerClient>
  close(): Promise<void>
}

/** A worker that starts on demand, and again after it failed. */
export function lazyWorker(start: () => Promise<WorkerClient>): LazyWorker {
  let current: Promise<WorkerClient> | undefined
  let closed = false
  return {
    async link() {
      if (closed) throw new StoreFault('unavailable', 'The store is closed.')
      const known = await current?.catch(() => undefined)
      if (known?.alive) return known
      current = start()
      return await current
    },
    async close() {
      closed = true
      const link = await current?.catch(() => undefined)
      await link?.close()
    },
  }
}

/** The streams of a worker that starts on demand. */
export function streamOf(worker: LazyWorker): (source: StreamSource) => AsyncIterable<Uint8Array> {
  return async function* (source) {
    yield* (await worker.link()).stream(source)
  }
}
