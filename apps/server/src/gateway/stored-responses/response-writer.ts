import type { Logger } from '../../lib/logger.ts'
import type {
  NewStoredResponse,
  ResponseBounds,
  StoredResponseRepository,
} from '../../store/work/stored-responses.ts'

/** One response that waits to be written into the database. */
export interface PendingResponse {
  readonly bytes: number
  /** Parses and seals the response when its turn comes; `undefined` when the bytes are not a response. */
  prepare(): NewStoredResponse | undefined
}

/** Writes responses after their calls have ended, in batches under load. */
export interface ResponseWriter {
  /** False when too much is waiting already; the response is not stored then. */
  put(response: PendingResponse): boolean
  /** Resolves when every response put so far is written or given up. */
  flushed(): Promise<void>
}

interface Dependencies {
  readonly repository: Pick<StoredResponseRepository, 'addAll' | 'trimUser'>
  readonly perUser: ResponseBounds
  readonly logger: Pick<Logger, 'warn' | 'error'>
  /** Bytes that may wait in memory. */
  readonly maxPendingBytes?: number
}

const megabyte = 1024 * 1024
const defaultPendingBytes = 64 * megabyte
/** A transaction blocks other writers, so a batch is bounded in responses and in bytes. */
const batchResponses = 64
const batchBytes = 4 * megabyte

export function createResponseWriter(deps: Dependencies): ResponseWriter {
  const { logger, maxPendingBytes = defaultPendingBytes } = deps
  let pending: PendingResponse[] = []
  let pendingBytes = 0
  let isWriting = false
  let isFull = false
  let putCount = 0
  let doneCount = 0
  let waiting: { readonly until: number; readonly done: () => void }[] = []

  async function writeAll(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (pending.length > 0) {
      // Calls go first: parsing happens between two turns of the event loop.
      await new Promise((done) => setImmediate(done))
      const batch = takeBatch()
      try {
        await write(batch, deps)
      } catch (error) {
        logger.error(
          { err: error, responses: batch.length },
          'these responses were not stored, so callers cannot continue from them: check the database',
        )
      }
      doneCount += batch.length
      tellWaiting()
    }
    isWriting = false
  }

  function tellWaiting(): void {
    const ready = waiting.filter(({ until }) => until <= doneCount)
    waiting = waiting.filter(({ until }) => until > doneCount)
    for (const { done } of ready) done()
  }

  function takeBatch(): readonly PendingResponse[] {
    let bytes = 0
    const past = pending.findIndex((response, index) => {
      bytes += response.bytes
      return index > 0 && (index === batchResponses || bytes > batchBytes)
    })
    const batch = past < 0 ? pending : pending.slice(0, past)
    pending = past < 0 ? [] : pending.slice(past)
    for (const response of batch) pendingBytes -= response.bytes
    return batch
  }

  return {
    put(response) {
      if (pendingBytes + response.bytes > maxPendingBytes) {
        if (!isFull)
          logger.warn(
            'responses come faster than the database stores them, and some are lost: give the database more capacity or lower StoredResponseHours',
          )
        isFull = true
        return false
      }
      isFull = false
      pending.push(response)
      pendingBytes += response.bytes
      putCount += 1
      void writeAll()
      return true
    },
    flushed: () =>
      doneCount === putCount
        ? Promise.resolve()
        : new Promise((done) => waiting.push({ until: putCount, done })),
  }
}

async function write(batch: readonly PendingResponse[], deps: Dependencies): Promise<void> {
  const responses = batch.flatMap((response) => response.prepare() ?? [])
  if (responses.length === 0) return
  await deps.repository.addAll(responses)
  for (const userId of new Set(responses.map((response) => response.userId)))
    await deps.repository.trimUser(userId, deps.perUser)
}
