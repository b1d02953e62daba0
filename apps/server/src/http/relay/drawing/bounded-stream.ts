/**
 * The same bytes, up to a number of them: with more it fails.
 * @param over told once, when it has ended, failed or been cancelled
 */
export function boundedStream(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let bytes = 0
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        bytes += value?.byteLength ?? 0
        if (bytes > maxBytes) throw new RangeError('more bytes than are passed on')
        if (!done) return controller.enqueue(value)
        release()
        controller.close()
      } catch (error) {
        release()
        controller.error(error)
        await reader.cancel().catch(() => undefined)
      }
    },
    async cancel() {
      release()
      await reader.cancel()
    },
  })
}
