import { countOf, isObject, listOf, objectOf, promptTokensOf, type Usage, usageOf } from '@tollgate/formats'

/** Turns the counts into ours: `inputTokens` leaves cache reads and writes out there, too. `undefined` for none. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const written = countOf(raw.cacheWriteInputTokens) ?? 0
  const oneHour = Math.min(writtenForAnHour(raw.cacheDetails), written)
  const usage = usageOf({
    inputTokens: countOf(raw.inputTokens) ?? 0,
    cacheReadTokens: countOf(raw.cacheReadInputTokens) ?? 0,
    cacheWriteTokens: written - oneHour,
    cacheWrite1hTokens: oneHour,
    outputTokens: countOf(raw.outputTokens) ?? 0,
  })
  // No prompt is really empty: such a count is none.
  return promptTokensOf(usage) === 0 ? undefined : usage
}

function writtenForAnHour(details: unknown): number {
  const longer = listOf(details)
    .map(objectOf)
    .filter(({ ttl }) => ttl === '1h')
  return longer.reduce((sum, { inputTokens }) => sum + (countOf(inputTokens) ?? 0), 0)
}
