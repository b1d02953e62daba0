import type { ModelRequest, RelayCall } from '../call.ts'
import type { LimitStatus, Measure } from './limit-counts.ts'

/** What headers tell of; slots have none in any dialect. */
const told = ['requests', 'tokens'] as const satisfies readonly Measure[]

/**
 * The headers by which the caller's programs pace themselves: of several limits the one that is nearest to its end.
 * OpenAI: https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
 * Anthropic: https://docs.anthropic.com/en/api/rate-limits#response-headers
 * Gemini has none; its callers get OpenAI's.
 */
export function limitHeaders(
  limitStatuses: readonly LimitStatus[],
  { request, createdAt }: Pick<RelayCall<ModelRequest>, 'request' | 'createdAt'>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const measure of told) {
    const limitStatus = tightest(limitStatuses, measure)
    if (limitStatus === undefined) continue
    if (request.format === 'anthropic-messages') addAnthropic(headers, limitStatus, createdAt)
    else addOpenAi(headers, limitStatus)
  }
  return headers
}

function tightest(limitStatuses: readonly LimitStatus[], measure: Measure): LimitStatus | undefined {
  let found: LimitStatus | undefined
  for (const each of limitStatuses)
    if (each.measure === measure && (found === undefined || each.remaining < found.remaining)) found = each
  return found
}

function addOpenAi(headers: Record<string, string>, limitStatus: LimitStatus): void {
  const { measure, limit, remaining, resetSeconds } = limitStatus
  headers[`x-ratelimit-limit-${measure}`] = String(limit)
  headers[`x-ratelimit-remaining-${measure}`] = String(remaining)
  headers[`x-ratelimit-reset-${measure}`] = duration(resetSeconds)
}

function addAnthropic(headers: Record<string, string>, limitStatus: LimitStatus, createdAt: number): void {
  const { measure, limit, remaining, resetSeconds } = limitStatus
  headers[`anthropic-ratelimit-${measure}-limit`] = String(limit)
  headers[`anthropic-ratelimit-${measure}-remaining`] = String(remaining)
  headers[`anthropic-ratelimit-${measure}-reset`] = timeText(createdAt + resetSeconds)
}

/** `1m30s`, as OpenAI writes it. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`
}

/** RFC 3339 in whole seconds. */
function timeText(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`
}
