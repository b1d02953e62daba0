import { countOf, isObject, objectOf, promptTokensOf, type Usage, usageOf } from '@tollgate/formats'

/**
 * The units that Cohere bills: they leave out its own instructions around a prompt, which its price list does not count
 * and which are many times a short prompt. Tokens stand in where units are missing, the cached ones being a part of them.
 * `undefined` for none of both. https://docs.cohere.com/docs/how-does-cohere-pricing-work
 */
export function readUsage(raw: unknown): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = objectOf(raw)
  const isBilled = isObject(billed_units) && countOf(billed_units.input_tokens) !== undefined
  const counts = objectOf(isBilled ? billed_units : tokens)
  const input = countOf(counts.input_tokens) ?? 0
  const cached = isBilled ? 0 : Math.min(countOf(cached_tokens) ?? 0, input)
  const usage = usageOf({
    inputTokens: input - cached,
    cacheReadTokens: cached,
    outputTokens: countOf(counts.output_tokens) ?? 0,
  })
  // No prompt is really empty: such a count is none.
  return promptTokensOf(usage) === 0 ? undefined : usage
}
