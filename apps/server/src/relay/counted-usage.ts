import { type Delivered, type Usage, usageOf } from '@tollgate/formats'
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
    usage: usageOf({ inputTokens, outputTokens }),
    estimated: true,
  }
}
