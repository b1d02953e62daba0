import type { CallRules, DecodedResponse, EncodeContext } from '../canonical/codec.ts'
import type { AssistantPart, ToolCallPart } from '../canonical/request.ts'
import type { Candidate, ChatResponse } from '../canonical/response.ts'
import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { isInterruption, stopFor, wholeArguments } from './call-arguments.ts'

/**
 * Judges the calls of a buffered response as `CallEnds` does those of a stream: whole calls have arguments that callers of the
 * format can read, those that a limit cut are marked, and one that is cut without a reason makes the response a failure.
 */
export function settleCalls(
  response: ChatResponse,
  rules: CallRules,
  sequences: EncodeContext['stopSequences'],
): DecodedResponse {
  const candidates = response.candidates.map((candidate) => settled(candidate, rules, sequences))
  const failed = candidates.some((each) => each.parts.some(isCut) && !isInterruption(each.stop))
  if (failed && !rules.endsMalformed) return { ok: false, error: incompleteCall }
  return { ok: true, response: { ...response, candidates } }
}

/** Returns whether a part is a call that is not whole. */
export function isCut(part: AssistantPart): boolean {
  return part.type === 'tool-call' && part.isCut === true
}

function settled(
  candidate: Candidate,
  rules: CallRules,
  sequences: EncodeContext['stopSequences'],
): Candidate {
  const { parts, stop } = candidate
  const lastIsCut = isInterruption(stop)
  const judged = parts.flatMap((part, index): readonly AssistantPart[] =>
    part.type === 'tool-call' ? settledCall(part, rules, lastIsCut && index === parts.length - 1) : [part],
  )
  const hasCalls = judged.some((part) => part.type === 'tool-call')
  return { ...candidate, parts: judged, stop: stopFor(stop, hasCalls, sequences) }
}

/** @param onlyBegan without arguments it is a call that only began, which nobody is told of */
function settledCall(part: ToolCallPart, rules: CallRules, onlyBegan: boolean): readonly ToolCallPart[] {
  if (onlyBegan && part.arguments.trim() === '') return []
  const whole = wholeArguments(part.arguments, rules)
  return [whole === undefined ? { ...part, isCut: true } : { ...part, arguments: whole }]
}

const incompleteCall: UpstreamErrorInfo = {
  kind: 'upstream_bug',
  status: 502,
  message: 'the upstream ended its response inside the arguments of a tool call',
  type: 'upstream_error',
  code: 'incomplete_tool_call',
  param: null,
}
