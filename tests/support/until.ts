/** Looks until there is something to see, or throws after `timeoutMs`. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 5000,
): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined) return seen
    if (performance.now() > end) throw new Error(`nothing was seen within ${timeoutMs} ms`)
    await Bun.sleep(5)
  }
}
