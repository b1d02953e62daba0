import type { StopReason } from '@tollgate/formats'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#bedrock-runtime_Converse-response-stopReason */
const reasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
}

/**
 * A reason that is not known yet is an end.
 * @param calls how many tools were called: the one that stands for an answer in JSON is none of them
 */
export function stopReasonOf(reason: string, calls: number): StopReason {
  const known = Object.hasOwn(reasons, reason) ? (reasons[reason] ?? 'stop') : 'stop'
  return known === 'tool-calls' && calls === 0 ? 'stop' : known
}
