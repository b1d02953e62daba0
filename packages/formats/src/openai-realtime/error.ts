import type { ApiError } from '../api-error.ts'

/** An error as an event of the Realtime API. */
export function encodeRealtimeError({ message, type, param, code }: ApiError, eventId: string): string {
  return JSON.stringify({ type: 'error', event_id: eventId, error: { type, code, message, param } })
}
