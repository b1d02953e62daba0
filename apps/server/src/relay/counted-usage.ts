import type { Delivered, Usage } from '@tollgate/formats'
import type { CallRequest } from './dialect.ts'

export interface CountedUsage {
  readonly usage: Usage
  /** True when the counts are our own. */
  readonly estimated: boolean
}

/** The upstream's own counts where it sent any; otherwise prompt and delivered answer counted by a tokenizer. */
export async function countedUsage(
  reported: Usage | undefined,
  request: CallRequest,
  delivered: () => Delivered,
): Promise<CountedUsage> {
  if (reported !== undefined) return { usage: reported, estimated: false }
  const { inputTokens, outputTokens } = await request.countTokens(delivered())
  return {
    usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    estimated: true,
  }
}
