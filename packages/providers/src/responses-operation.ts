import {
  type CodeKinds,
  decodeResponsesError,
  type FormatName,
  openAiCompaction,
  openAiResponses,
  type RequestQuirks,
} from '@tollgate/formats'
import type { Operation, PlainFormat, RelayMode, Target } from './provider.ts'

/** How an upstream that speaks Chat Completions offers the Responses API, too. */
export interface ResponsesOffer {
  /** Models that have it; all of them when not said. */
  readonly serves?: (target: Target) => boolean
  /** Models that have nothing else: callers of other formats reach them through it. */
  readonly only?: (target: Target) => boolean
  readonly quirks?: RequestQuirks
  /** Has `/responses/compact`, too; a conversation is summarized where it has not. */
  readonly compacts?: boolean
}

/** Whether a call goes to the Responses API of an upstream that also has Chat Completions. */
export function choosesResponses(
  offer: ResponsesOffer,
  mode: RelayMode,
  target: Target,
  wanted: FormatName | PlainFormat,
): boolean {
  if (mode !== 'chat') return false
  if (offer.compacts === true && wanted === 'openai-compaction') return offer.serves?.(target) ?? true
  const { serves, only } = offer
  if (wanted !== 'openai-responses') return only?.(target) === true
  return serves === undefined || serves(target)
}

export function responsesOperation(
  { quirks }: ResponsesOffer,
  endpoint: Operation['endpoint'],
  codeKinds?: CodeKinds,
): Operation {
  return {
    format: 'openai-responses',
    codec: openAiResponses,
    framing: 'sse',
    // Its streams always tell their usage.
    streamOptions: false,
    ...(quirks !== undefined && { quirks }),
    endpoint,
    decodeError: (failure) => decodeResponsesError(failure, codeKinds),
  }
}

/** The same upstream's compaction, whose answer is a list of items as well. */
export function compactionOperation(responses: Operation, endpoint: Operation['endpoint']): Operation {
  return { ...responses, format: 'openai-compaction', codec: openAiCompaction, endpoint }
}
