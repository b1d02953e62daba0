/**
 * Token counts of one call in the form that is billed, whatever the dialect called them.
 * `inputTokens` excludes cache reads and writes; OpenAI counts them inside `prompt_tokens`, Anthropic apart.
 */
export interface Usage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  /** Part of `outputTokens` spent on reasoning, for the log. */
  readonly reasoningTokens: number
}

export const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}

/** Prompt tokens as callers know them: cached parts included. */
export function promptTokensOf(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
}
