import type { StopReason } from '../../canonical/response.ts'

/** Ends that are failures of the upstream, not of the response: DeepSeek, Zhipu, OpenRouter. */
const failures: ReadonlySet<unknown> = new Set(['insufficient_system_resource', 'network_error', 'error'])

/** OpenAI's own reasons, the legacy one, and those of Mistral, Hugging Face and Zhipu. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
])

const finishReasons = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  refused: 'content_filter',
  paused: 'stop',
} as const satisfies Record<StopReason, string>

/** Whether a finish reason means that the upstream failed. */
export function isFailedFinish(finishReason: unknown): boolean {
  return failures.has(finishReason)
}

/** What the candidate holds beside its reason to stop. */
interface StopContext {
  readonly hasToolCalls: boolean
  readonly hasRefusal: boolean
}

/**
 * A forced tool call, and any tool call of Ollama, ends with `stop`; a refusal does, too. An unknown reason is an end like
 * any other.
 */
export function decodeStop(finishReason: string, { hasToolCalls, hasRefusal }: StopContext): StopReason {
  const reason = reasons.get(finishReason) ?? 'stop'
  if (reason !== 'stop') return reason
  return hasToolCalls ? 'tool-calls' : hasRefusal ? 'refused' : 'stop'
}

/** A refusal in words is a response like any other at OpenAI; one without words is the filter's. */
export function encodeStop(reason: StopReason, { hasRefusal }: StopContext): string {
  return reason === 'refused' && hasRefusal ? 'stop' : finishReasons[reason]
}
