import {
  type CodeKinds,
  decodeResponsesError,
  type FormatName,
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
}

/** Whether a call goes to the Responses API of an upstream that also has Chat Completions. */
export function choosesResponses(
  { serves, only }: ResponsesOffer,
  mode: RelayMode,
  target: Target,
  wanted: FormatName | PlainFormat,
): boolean {
  if (mode !== 'chat') return false
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
