import { describe, expect, it } from 'bun:test'
import { createEventBus } from '../../lib/async/event-bus.ts'
import { createVault } from '../../lib/crypto.ts'
import { createLogger } from '../../lib/logger.ts'
import type { UserRequest } from '../../lib/outbound/user-fetch.ts'
import { createSlidingWindow } from '../../lib/sliding-window.ts'
import type { User } from '../../store/accounts/users.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { Mail } from '../mail/mailer.ts'
import { createNotifier, notifyRootOfChannels } from './notifier.ts'

const vault = createVault('a master key for tests, long enough to be one')
const notification = { type: 't', title: 'T', template: 'hello', values: [] }
const account = { id: 5, email: 'own@example.org', setting: '', deletedAt: null }

function world({ user = {}, isConfigured = true }: { user?: object; isConfigured?: boolean } = {}) {
  const mails: Mail[] = []
  const requests: UserRequest[] = []
  const sends: Promise<void>[] = []
  // The fields that matter here.
  const found = { ...account, ...user } as User
  const clock = { now: () => 0 }
  const notifier = createNotifier({
    store: {
      users: { find: async () => found, findFirstRoot: async () => ({ ...found, email: 'root@x.org' }) },
    } as never,
    vault,
    mailer: { isConfigured, lastFailure: undefined, send: async (mail) => void mails.push(mail) },
    async fetch(request) {
      requests.push(request)
      return { status: 200, headers: {}, body: '' }
    },
    queue: { add: (delivery) => sends.push(delivery.send(new AbortController().signal)) > 0 },
    limit: createSlidingWindow({ limit: 2, windowSeconds: 600, clock }),
    clock,
    logger: createLogger('silent'),
  })
  return {
    notifier,
    async outcome() {
      await Promise.all(sends)
      return { to: mails.map(({ to }) => to), urls: requests.map(({ url }) => url), requests }
    },
  }
}

const setting = (fields: object) => ({ user: { setting: JSON.stringify(fields) } })
const hook = { notify_type: 'webhook', webhook_url: 'https://there.example/' }

describe('a notification of a person', () => {
  it.each([
    ['goes to the address of the account', {}, ['own@example.org'], []],
    ['goes to an address for notices', setting({ notification_email: 'n@x.org' }), ['n@x.org'], []],
    ['goes to a webhook', setting(hook), [], ['https://there.example/']],
    ['goes nowhere without a webhook address', setting({ notify_type: 'webhook' }), [], []],
    ['goes nowhere without any address', { user: { email: '' } }, [], []],
    ['goes nowhere after the account is deleted', { user: { deletedAt: 1 } }, [], []],
    ['goes nowhere without a mail server', { isConfigured: false }, [], []],
    [
      'goes to the address of the account when the setting cannot be read',
      { user: { setting: '{' } },
      ['own@example.org'],
      [],
    ],
  ] as const)('%s', async (_, provided, to, urls) => {
    const { notifier, outcome } = world(provided)
    notifier.notify(5, notification)
    expect(await outcome()).toMatchObject({ to: [...to], urls: [...urls] })
  })

  it('is signed by the secret, whether it is stored sealed or in clear', async () => {
    for (const secret of [
      { webhook_secret: 'hush' },
      { webhook_secret_sealed: vault.seal('hush', sealContexts.webhookSecret(5)) },
    ]) {
      const { notifier, outcome } = world(setting({ ...hook, ...secret }))
      notifier.notify(5, notification)
      const [request] = (await outcome()).requests
      expect(request?.headersByWorker).toEqual({ Authorization: 'Bearer hush' })
    }
  })

  it('is sent up to a limit per type; one beyond it counts as settled', async () => {
    const { notifier, outcome } = world()
    let settled = 0
    for (let time = 0; time < 5; time += 1) notifier.notify(5, notification, () => void settled++)
    notifier.notify(5, { ...notification, type: 'other' })
    notifier.notify(6, notification)
    expect((await outcome()).to).toHaveLength(4)
    expect(settled).toBe(3)
  })
})

it('a notification of the super admin goes the same ways', async () => {
  const { notifier, outcome } = world()
  notifier.notifyRoot(notification)
  expect((await outcome()).to).toEqual(['root@x.org'])
})

it('the super admin is notified of each channel that the gateway switches, and of the end of a test of all', () => {
  const bus = createEventBus<ChangeEvents>(() => undefined)
  const types: string[] = []
  const end = notifyRootOfChannels(bus, { notifyRoot: ({ type }) => void types.push(type) })
  const channel = { id: 3, name: 'one', reason: 'r', code: '', params: {} }
  const run = { manual: false, cancelled: false, total: 1, tested: 1, failed: [] }
  const publish = () => {
    bus.publish('channel-status-changed', { ...channel, status: 'auto-disabled' })
    bus.publish('channel-status-changed', { ...channel, status: 'enabled' })
    bus.publish('channel-test-finished', run)
  }
  publish()
  end()
  publish()
  expect(types).toEqual(['channel_update_3_3', 'channel_update_3_1', 'channel_test'])
})
