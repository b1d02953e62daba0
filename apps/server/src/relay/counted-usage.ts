import type { Delivered, Usage } from '@tollgate/formats'
import type { CallRequest } from './dialect.ts'

export interface CountedUsage {
  readonly usage: Usage
  /** True when the counts are our own. */
  readonly estimated: boolean
}

/** Prompt and delivered answer counted by a tokenizer, for upstreams that sent no counts. */
export async function countedUsage(request: CallRequest, delivered: Delivered): Promise<CountedUsage> {
  const { inputTokens, outputTokens } = await request.countTokens(delivered)
  return {
    usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    estimated: true,
  }
}
