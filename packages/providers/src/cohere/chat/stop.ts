import type { StopReason } from '@tollgate/formats'

const reasons: Readonly<Record<string, StopReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
}

/** A reason that is not known yet is an end. */
export function stopReasonOf(reason: string): StopReason {
  return Object.hasOwn(reasons, reason) ? (reasons[reason] ?? 'stop') : 'stop'
}

/** The service gave up; what it has written until then is no whole answer. */
export function isFailedEnd(reason: string): boolean {
  return reason === 'ERROR' || reason === 'TIMEOUT'
}
