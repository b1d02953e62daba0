import type { Stop, StopReason } from '../../canonical/response.ts'

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const reasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'refused',
  pause_turn: 'paused',
  // A compaction was asked for and ends the turn with its summary.
  compaction: 'paused',
}

/** Treats an unknown reason as a normal stop. */
export function decodeStop(reason: string, sequence: unknown): Stop {
  const known = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  return typeof sequence === 'string' ? { reason: known ?? 'stop', sequence } : { reason: known ?? 'stop' }
}

/** Reason why a message ended, in the format's fields. */
export interface WireStop {
  readonly stop_reason: string
  readonly stop_sequence: string | null
  readonly stop_details: {
    readonly type: 'refusal'
    readonly category: null
    readonly explanation: null
  } | null
}

/** Returns why a response ended, as callers of this format read it. */
export function encodeStop({ reason, sequence }: Stop): WireStop {
  if (reason === 'stop' && sequence !== undefined)
    return { stop_reason: 'stop_sequence', stop_sequence: sequence, stop_details: null }
  const stop_reason = wireReasons[reason]
  return { stop_reason, stop_sequence: null, stop_details: stop_reason === 'refusal' ? refusal : null }
}

/** No other vendor says what a refusal is about. */
const refusal = { type: 'refusal', category: null, explanation: null } as const

const wireReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  refused: 'refusal',
  'content-filter': 'refusal',
  paused: 'pause_turn',
} as const satisfies Record<StopReason, string>
