import type { StreamResult } from './route.ts'

/**
 * The bytes of a streamed answer, pulled from their source one piece at a time; what is not pulled any more is ended.
 * @param onBroken told when the source fails in the middle
 */
export function streamBody(
  { stream }: StreamResult,
  onBroken: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  // A reader can be cancelled while it waits for the next piece, an iterator only between two.
  const source = stream instanceof ReadableStream ? readerOf(stream) : iteratorOf(stream)
  let isCancelled = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await source.next()
          // Its reader went while it was made.
          if (isCancelled) return
          if (piece === undefined) controller.close()
          else controller.enqueue(piece)
        } catch (error) {
          onBroken(error)
          controller.error(error)
        }
      },
      cancel() {
        isCancelled = true
        return source.end()
      },
    },
    { highWaterMark: 0 },
  )
}

interface Source {
  /** `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>
  end(): Promise<void>
}

function readerOf(stream: ReadableStream<Uint8Array>): Source {
  const reader = stream.getReader()
  return { next: async () => (await reader.read()).value, end: () => reader.cancel() }
}

const encoder = new TextEncoder()

function iteratorOf(iterable: AsyncIterable<Uint8Array | string>): Source {
  const iterator = iterable[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await iterator.next()
      if (done === true) return undefined
      return typeof value === 'string' ? encoder.encode(value) : value
    },
    async end() {
      await iterator.return?.()
    },
  }
}
