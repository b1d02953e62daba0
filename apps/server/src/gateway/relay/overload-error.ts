import type { RefusedRoom } from '../../upstream/response-body/response-memory.ts'
import { RelayError } from './relay-error.ts'

/** The error where the memory for responses is used up. */
export function overloadError(room: RefusedRoom): RelayError {
  return room === 'account'
    ? new RelayError(
        'too_many_requests',
        'The responses to your calls in flight are too large together. Wait until you have read some of them, or ask for less.',
        { retryAfterSeconds: 1 },
      )
    : new RelayError(
        'overloaded',
        'The gateway holds too many large responses at the moment. Try again later.',
        {
          retryAfterSeconds: 1,
        },
      )
}
