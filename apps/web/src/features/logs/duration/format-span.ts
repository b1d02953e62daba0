/** `483 ms`, `3.40 s`, `12.3 s`, `2 min 5 s`. */
export function formatSpan(ms: number): string {
  const roundedMs = Math.round(ms)
  if (roundedMs < 1000) return `${roundedMs} ms`
  if (roundedMs < 10_000) return `${(roundedMs / 1000).toFixed(2)} s`
  if (roundedMs < 60_000) return `${(roundedMs / 1000).toFixed(1)} s`
  const seconds = Math.round(roundedMs / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
