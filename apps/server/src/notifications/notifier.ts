import { unixSeconds } from '@tollgate/base'
import type { UserFetch } from '../lib/outbound/user-fetch.ts'
import type { SlidingWindow } from '../lib/sliding-window.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Services } from '../services.ts'
import type { User } from '../store/repositories/users.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { Notification } from './notification.ts'
import { notificationMail } from './notification-mail.ts'
import { recipientOf } from './recipient.ts'
import { deliverByWebhook } from './webhook.ts'

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock' | 'logger'> {
  readonly mailer: Mailer
  readonly fetch: UserFetch
  readonly queue: DeliveryQueue
  /** The most notifications of one type that a person gets in the window. */
  readonly limit: SlidingWindow
}

type Who = number | 'root'

/** Notifies people in the background, at the address or webhook of their choice. */
export function createNotifier(deps: Dependencies) {
  const { store, queue, limit, logger } = deps

  /** Read at each attempt: the person may have corrected their address meanwhile. */
  const find = (who: Who) => (who === 'root' ? store.users.findFirstRoot() : store.users.find(who))

  function tell(who: Who, notification: Notification, settled = () => {}): void {
    const about = { user: who, type: notification.type }
    if (!limit.take(`${who} ${notification.type}`)) {
      logger.info(about, 'a notification is not sent: there were enough of its type')
      settled()
      return
    }
    const send = async (signal: AbortSignal) => deliver(await find(who), notification, signal, deps)
    queue.add({ about, send, settled })
  }

  return {
    /** @param settled called when it was delivered, was given up, or is not sent at all */
    notify: (userId: number, notification: Notification, settled?: () => void): void =>
      tell(userId, notification, settled),
    /** The super admin with the least id. */
    notifyRoot: (notification: Notification): void => tell('root', notification),
  }
}

export type Notifier = ReturnType<typeof createNotifier>

async function deliver(
  user: User | undefined,
  notification: Notification,
  signal: AbortSignal,
  { vault, mailer, fetch, clock }: Dependencies,
): Promise<void> {
  const recipient = user && recipientOf(user, vault)
  if (recipient === undefined) return
  if (recipient.by === 'email') {
    // Without mail at this site there is nothing to deliver.
    if (mailer.isConfigured) await mailer.send(notificationMail(notification, recipient.address))
    return
  }
  await deliverByWebhook(notification, recipient, { fetch, now: unixSeconds(clock), signal })
}
