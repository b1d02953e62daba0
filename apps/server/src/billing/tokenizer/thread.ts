import { Worker } from 'node:worker_threads'
import type { Encoding } from './encoding.ts'

export interface CountQuestion {
  readonly id: number
  readonly encoding: Encoding
  readonly texts: readonly string[]
}

export type CountResponse =
  | { readonly id: number; readonly tokens: number; readonly error?: undefined }
  | { readonly id: number; readonly error: string }

/** A tokenizer in a worker thread. Its tables take memory, so the thread ends when it has been idle for a while. */
export interface TokenizerThread {
  /** Rejects when the thread fails or takes too long. */
  count(encoding: Encoding, texts: readonly string[]): Promise<number>
  readonly running: boolean
  close(): Promise<void>
}

export interface TokenizerThreadOptions {
  /** The thread ends after so long without work. */
  readonly idleMs: number
  /** A count that takes longer rejects, and ends the thread. */
  readonly timeoutMs: number
}

interface Pending {
  resolve(tokens: number): void
  reject(reason: unknown): void
}

export function createTokenizerThread({ idleMs, timeoutMs }: TokenizerThreadOptions): TokenizerThread {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL('./tokenizer-worker', import.meta.url))
    started.unref()
    started.on('message', onResponse)
    started.on('error', (error) => failed(started, error))
    return started
  }

  function onResponse(response: CountResponse): void {
    const question = pending.get(response.id)
    if (response.error === undefined) question?.resolve(response.tokens)
    else question?.reject(new Error(response.error))
  }

  function failed(which: Worker, error: unknown): void {
    if (worker === which) void stop(error)
  }

  async function stop(reason: unknown): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    for (const question of pending.values()) question.reject(reason)
    await ending?.terminate()
  }

  async function count(encoding: Encoding, texts: readonly string[]): Promise<number> {
    clearTimeout(idle)
    worker ??= start()
    const current = worker
    lastId += 1
    const id = lastId
    const late = setTimeout(() => failed(current, new Error('the tokenizer takes too long')), timeoutMs)
    late.unref()
    try {
      return await new Promise<number>((resolve, reject) => {
        pending.set(id, { resolve, reject })
        current.postMessage({ id, encoding, texts } satisfies CountQuestion)
      })
    } finally {
      clearTimeout(late)
      pending.delete(id)
      if (pending.size === 0) stopWhenIdle()
    }
  }

  function stopWhenIdle(): void {
    clearTimeout(idle)
    idle = setTimeout(() => void stop(new Error('the tokenizer was idle')), idleMs)
    idle.unref()
  }

  return {
    count,
    get running() {
      return worker !== undefined
    },
    close: () => stop(new Error('the tokenizer is closed')),
  }
}
