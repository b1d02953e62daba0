import type { Stop, StopReason } from '../../canonical/response.ts'
import type { UpstreamErrorInfo } from '../../errors/upstream-error.ts'

/** Ends by the response's own terms. A call of a tool ends with STOP, too. */
const reasons: Readonly<Record<string, StopReason>> = {
  STOP: 'stop',
  NO_IMAGE: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
}

/** Ends that are failures of the model: what it began cannot be used, and another attempt may succeed. */
const failures: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'The model wrote a call of a tool that cannot be read.',
  UNEXPECTED_TOOL_CALL: 'The model called a tool that it was not offered.',
  TOO_MANY_TOOL_CALLS: 'The model called too many tools one after another.',
  MISSING_THOUGHT_SIGNATURE: 'The conversation lacks a signature of the model that an earlier turn had.',
  MALFORMED_RESPONSE: 'The model wrote a response that cannot be read.',
  IMAGE_OTHER: 'The model made no image, and says not why.',
  OTHER: 'The model ended without a response, and says not why.',
}

/** Returns why a candidate ended; `undefined` when it has not. Reasons of later versions count as a filter's. */
export function stopOf(finishReason: string, hasCalls: boolean): Stop | undefined {
  if (finishReason === '' || finishReason === 'FINISH_REASON_UNSPECIFIED') return undefined
  const reason = Object.hasOwn(reasons, finishReason) ? reasons[finishReason] : undefined
  if (reason === 'stop' && hasCalls) return { reason: 'tool-calls' }
  return { reason: reason ?? 'content-filter' }
}

/** The failure that a finish reason means; `undefined` for the other reasons. */
export function failedEnd(finishReason: string, finishMessage: string): UpstreamErrorInfo | undefined {
  if (!Object.hasOwn(failures, finishReason)) return undefined
  return {
    kind: 'upstream_bug',
    status: 502,
    message: finishMessage.slice(0, 2000) || (failures[finishReason] ?? ''),
    type: 'upstream_error',
    code: finishReason,
    param: null,
  }
}

const finishReasons = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  refused: 'SAFETY',
  // Gemini has no reason for a response that the caller may continue; this one says that it is incomplete.
  paused: 'MAX_TOKENS',
} as const satisfies Record<StopReason, string>

/**
 * A candidate's finish reason, with a message for malformed calls.
 * @param malformed the message for calls whose arguments are not a JSON object; empty without such calls
 */
export function encodeStop(stop: Stop, malformed: string): Readonly<Record<string, string>> {
  const finishReason = finishReasons[stop.reason]
  if (malformed === '') return { finishReason }
  // Arguments that the limit cut off are no fault of the model's.
  return {
    finishReason: finishReason === 'STOP' ? 'MALFORMED_FUNCTION_CALL' : finishReason,
    finishMessage: malformed.slice(0, 2000),
  }
}
