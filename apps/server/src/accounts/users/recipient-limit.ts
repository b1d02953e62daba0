import { monotonicClock } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import { createSlidingWindow } from '../../lib/sliding-window.ts'
import type { Services } from '../../services.ts'
import { inboxOf } from '../mail/mail-address.ts'
import { createCountedTries } from './login/guesses/counted-tries.ts'

const mailsPerWindow = 5
const windowSeconds = 3600

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock'> {
  /** Measures the windows of this process. */
  readonly monotonic?: Services['clock']
}

/**
 * Limits the mails to one inbox to a few an hour, over all senders and nodes, so that strangers cannot flood it.
 * @param purpose what the mails are for; each purpose has a limit of its own
 */
export function createRecipientLimit(purpose: string, deps: Dependencies) {
  const { store, vault, clock, monotonic = monotonicClock } = deps
  const tries = createCountedTries({
    own: createSlidingWindow({ limit: mailsPerWindow, windowSeconds, clock: monotonic }),
    tries: store.oneTimeSecrets,
    purpose: `mailed ${purpose}`,
    windowSeconds,
    countsOf: (inbox: string) => [{ subject: vault.hash(inbox), max: mailsPerWindow }],
    clock,
  })
  return {
    /** Counts one mail, or refuses with `mail_too_often`, whether or not an account has the address. */
    async take(address: string): Promise<void> {
      const seconds = await tries.take(inboxOf(address))
      if (seconds > 0) throw new Refusal('mail_too_often', { seconds })
    },
  }
}

export type RecipientLimit = ReturnType<typeof createRecipientLimit>
