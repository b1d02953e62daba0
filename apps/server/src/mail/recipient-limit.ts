import { type Clock, monotonicClock } from '@tollgate/base'
import { Refusal } from '../lib/refusal.ts'
import { createSlidingWindow } from '../lib/sliding-window.ts'
import { inboxOf } from './mail-address.ts'

const mailsPerWindow = 5
const windowSeconds = 3600

/** Limits the mails to one inbox to a few an hour, from all senders, so that strangers cannot flood it. */
export function createRecipientLimit(clock: Clock = monotonicClock) {
  const window = createSlidingWindow({ limit: mailsPerWindow, windowSeconds, clock })
  return {
    /** Counts one mail, or refuses with `mail_too_often`, whether or not an account has the address. */
    take(address: string): void {
      const inbox = inboxOf(address)
      if (!window.take(inbox))
        throw new Refusal('mail_too_often', { seconds: window.retryAfterSeconds(inbox) })
    },
  }
}

export type RecipientLimit = ReturnType<typeof createRecipientLimit>
