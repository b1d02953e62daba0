import type { Stop, StopReason } from '../../canonical/response.ts'
import { type JsonObject, textOf } from '../../json/value.ts'

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

/** Contents of the candidate beside its reason to stop. */
interface StopContext {
  readonly hasToolCalls: boolean
  readonly hasRefusal: boolean
}

/** Returns why a choice ended, in the upstream's word; empty while it goes on. Ali's own API says `"null"` until then. */
export function finishOf({ finish_reason }: JsonObject): string {
  const reason = textOf(finish_reason)
  return reason === 'null' ? '' : reason
}

/**
 * Reads the reason of an end. A forced tool call, and any tool call of Ollama, ends with `stop`; a refusal does, too. An unknown reason
 * is an end like any other.
 */
export function decodeStop(choice: JsonObject, { hasToolCalls, hasRefusal }: StopContext): Stop {
  const reason = reasons.get(finishOf(choice)) ?? 'stop'
  if (reason !== 'stop') return { reason }
  if (hasToolCalls) return { reason: 'tool-calls' }
  const sequence = matchedStop(choice)
  return sequence === '' ? { reason: hasRefusal ? 'refused' : 'stop' } : { reason, sequence }
}

/**
 * The stop sequence that was matched, as vLLM and SGLang name it; they put the id of an end token into the same member. Other
 * servers may mean something else by it, so that only a sequence of the caller's is passed on (`stopFor`).
 * 2026-09-02: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html, https://github.com/sgl-project/sglang/pull/33153
 */
function matchedStop({ stop_reason, matched_stop }: JsonObject): string {
  return textOf(stop_reason) || textOf(matched_stop)
}

/** Writes the reason of an end. A refusal in words is a response like any other at OpenAI; one without words is the filter's. */
export function encodeStop(reason: StopReason, { hasRefusal }: StopContext): string {
  return reason === 'refused' && hasRefusal ? 'stop' : finishReasons[reason]
}
