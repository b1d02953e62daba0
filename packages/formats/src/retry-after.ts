const longestMs = 24 * 60 * 60 * 1000

/**
 * How long the upstream asks to wait, in milliseconds; `undefined` when it does not say. Header names in lower case.
 * A date is read against the answer's own `Date`: two clocks need not agree, and this package has none.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = amount(headers['retry-after-ms'])
  if (milliseconds !== undefined) return bounded(milliseconds)
  const value = headers['retry-after']
  const seconds = amount(value)
  if (seconds !== undefined) return bounded(seconds * 1000)
  const wait = Date.parse(value ?? '') - Date.parse(headers.date ?? '')
  return Number.isNaN(wait) ? undefined : bounded(wait)
}

function amount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined
}

function bounded(milliseconds: number): number {
  return Math.round(Math.min(Math.max(milliseconds, 0), longestMs))
}
