const lineFeed = 10
/** Counting is said at most so often: a page that draws itself anew for every piece is slower than the network. */
const sayEveryMs = 100

/** Reads a response to its end; calls `onLines` now and then with the number of lines so far. */
export async function readLines(response: Response, onLines: (lines: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  let statedAt = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || value === undefined) break
    pieces.push(value)
    for (const byte of value) if (byte === lineFeed) lines += 1
    const now = performance.now()
    if (now - statedAt < sayEveryMs) continue
    statedAt = now
    onLines(lines)
  }
  onLines(lines)
  return new Blob(pieces, { type: response.headers.get('content-type') ?? 'text/csv' })
}
