import { unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import type { DeliveryQueue } from '../../lib/outbound/delivery-queue.ts'
import type { UserFetch } from '../../lib/outbound/user-fetch.ts'
import type { SlidingWindow } from '../../lib/sliding-window.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/accounts/users.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import { html } from '../mail/html.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { readNotificationSetting } from '../users/notification-setting.ts'
import {
  channelNotice,
  channelTestNotice,
  frozenKeyNotice,
  leakedKeyNotice,
  refusedPaymentNotice,
  reversalNotice,
  reversalNoticeToRoot,
} from './messages.ts'
import { fillSlots, type Notification } from './notification.ts'
import { deliverByWebhook } from './webhook.ts'

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock' | 'logger'> {
  readonly mailer: Mailer
  readonly fetch: UserFetch
  readonly queue: Pick<DeliveryQueue, 'add'>
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
      logger.info(
        about,
        'this notification is not sent, because this person already got the allowed number of its type: raise NOTIFY_LIMIT_COUNT to send more',
      )
      settled()
      return
    }
    const send = async (signal: AbortSignal) => deliver(await find(who), notification, signal, deps)
    queue.add({ kind: 'notification', about, send, settled })
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

/** Address of a user's notifications. */
type Recipient =
  | { readonly by: 'email'; readonly address: string }
  | { readonly by: 'webhook'; readonly url: string; readonly secret: string }

/**
 * `undefined` for a person without an address, or a deleted one. Throws when another installation sealed their secret.
 */
function recipientOf(
  user: Pick<User, 'id' | 'email' | 'setting' | 'deletedAt'>,
  vault: Pick<Vault, 'open'>,
): Recipient | undefined {
  if (user.deletedAt !== null) return undefined
  const wanted = readNotificationSetting(user, vault)
  if (wanted.notifyType === 'webhook') {
    const { webhookUrl: url, webhookSecret: secret } = wanted
    return url === '' ? undefined : { by: 'webhook', url, secret }
  }
  const address = wanted.notificationEmail || user.email
  return address === '' ? undefined : { by: 'email', address }
}

/** The notification as a mail: its paragraphs, with escaped values and working links. */
export function notificationMail({ title, template, values }: Notification, to: string): Mail {
  const paragraphs = template.split('\n').map((paragraph) => html`<p>${paragraph}</p>`.text)
  return { to, subject: title, html: fillSlots(paragraphs.join('\n'), values, writtenValue) }
}

function writtenValue(value: string): string {
  return /^https?:\/\//.test(value) ? html`<a href="${value}">${value}</a>`.text : html`${value}`.text
}

/** Notifies the super admin of the gateway's own decisions about channels. Returns the function that ends it. */
export function notifyRootOfChannels(bus: ChangeBus, notifier: Pick<Notifier, 'notifyRoot'>): () => void {
  const ends = [
    bus.subscribe('channel-status-changed', (event) => notifier.notifyRoot(channelNotice(event))),
    bus.subscribe('channel-test-finished', (event) => notifier.notifyRoot(channelTestNotice(event))),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Notifies the payer and the super admin of refunds and disputes, and the latter of refused payments. Returns the function that ends it. */
export function notifyOfPayments(
  bus: ChangeBus,
  notifier: Pick<Notifier, 'notify' | 'notifyRoot'>,
  settings: Services['settings'],
): () => void {
  const ends = [
    bus.subscribe('payment-reversed', (reversed) => {
      notifier.notify(reversed.userId, reversalNotice(reversed, settings.current))
      notifier.notifyRoot(reversalNoticeToRoot(reversed, settings.current))
    }),
    bus.subscribe('payment-refused', (refused) => notifier.notifyRoot(refusedPaymentNotice(refused))),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Notifies owners of frozen keys, and the super admin of those that were found in public. Returns the function that ends it. */
export function notifyOfKeys(bus: ChangeBus, notifier: Pick<Notifier, 'notify' | 'notifyRoot'>): () => void {
  return bus.subscribe('key-frozen', (frozen) => {
    notifier.notify(frozen.userId, frozenKeyNotice(frozen))
    if (frozen.cause === 'leak') notifier.notifyRoot(leakedKeyNotice(frozen))
  })
}
