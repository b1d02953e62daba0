import { ownedRows } from '../../apps/server/src/accounts/users/owned-rows.ts'
import { createSoftwareAuthenticator } from '../../apps/server/src/accounts/users/test-support/software-authenticator.ts'
import type { Envelope, Operator } from './operator.ts'

/** The site's address, which passkeys are bound to and orders return to. */
export const siteAddress = 'https://console.example'

/** A kind of things of which a user, or one of their keys, may have a limited number. */
interface LimitedKind {
  readonly max: number
  /** Only an administrator has them. */
  readonly isOfAdministrators?: boolean
  /** Everything up to the call that creates one more. */
  readonly ready: (owner: Operator) => Promise<(at: Operator) => Promise<Envelope<unknown>>>
  readonly count: (owner: Operator) => Promise<number>
}

const listed = async (owner: Operator, path: string) => (await owner.api<unknown[]>('GET', path)).length
const total = async (owner: Operator, path: string) =>
  (await owner.api<{ readonly total: number }>('GET', path)).total

const posting = (path: string, body: object) => async () => (at: Operator) => at.call('POST', path, body)

/** The keys that one user may have where a gateway runs with this `MAX_USER_TOKENS`. */
export const maxUserTokens = 10

let hosts = 0
/** The key of an owner whose text is replaced. */
const rotatedKeys = new Map<string, Promise<{ readonly id: number }>>()
const rotatedKeyOf = (owner: Operator) => {
  const name = `${owner.url} ${owner.userId}`
  const key = rotatedKeys.get(name) ?? owner.addKey()
  rotatedKeys.set(name, key)
  return key
}

/** Each kind of the gateway's own table, and what is counted under a lock of its own. */
export const limitedKinds: Readonly<Record<keyof typeof ownedRows | 'chatHost', LimitedKind>> = {
  accessToken: {
    max: 50,
    ready: posting('/api/user/self/access_tokens', { name: 'laptop' }),
    count: (owner) => listed(owner, '/api/user/self/access_tokens'),
  },
  key: {
    max: maxUserTokens,
    ready: posting('/api/token/', { name: 'laptop', unlimited_quota: true }),
    count: (owner) => listed(owner, '/api/token/?p=0&size=100'),
  },
  pendingOrder: {
    max: 20,
    ready: posting('/api/user/pay', { amount: 1, payment_method: 'zfb' }),
    count: (owner) => total(owner, '/api/user/topup/orders?p=1&page_size=1&status=pending'),
  },
  passkey: {
    max: 20,
    async ready(owner) {
      const { challenge } = await owner.api<{ challenge: string }>('POST', '/api/user/self/passkeys/options')
      const page = { origin: siteAddress, rpId: new URL(siteAddress).hostname }
      const credential = createSoftwareAuthenticator().create({ challenge, ...page })
      return (at) => at.call('POST', '/api/user/self/passkeys', { credential })
    },
    count: (owner) => listed(owner, '/api/user/self/passkeys'),
  },
  chargeLink: {
    max: 100,
    ready: posting('/api/log/self/link', { day: '2026-11-29', time_zone: 'UTC' }),
    count: (owner) => listed(owner, '/api/log/self/link'),
  },
  invitation: {
    max: 200,
    isOfAdministrators: true,
    ready: posting('/api/invitation/', {}),
    count: (owner) => listed(owner, '/api/invitation/'),
  },
  formerKey: {
    max: 5,
    async ready(owner) {
      const { id } = await rotatedKeyOf(owner)
      return (at) => at.call('POST', `/api/token/${id}/rotate`, { overlap_seconds: 600 })
    },
    count: async (owner) => listed(owner, `/api/token/${(await rotatedKeyOf(owner)).id}/former_keys`),
  },
  chatHost: {
    max: 100,
    async ready() {
      hosts += 1
      const host = `chat-${hosts}.example`
      return (at) => at.call('POST', '/api/user/self/chat_hosts', { host })
    },
    count: async (owner) => {
      const { setting } = await owner.api<{ readonly setting: string }>('GET', '/api/user/self')
      return (JSON.parse(setting) as { readonly chat_hosts: readonly string[] }).chat_hosts.length
    },
  },
}

/** Code of the refusal of one too many. */
export const refusalOf = (kind: keyof typeof limitedKinds) =>
  kind === 'chatHost' ? 'chat_hosts_too_many' : ownedRows[kind].refusal

/** Refusals of too many that count nothing which two at once could both add to, with the reason. */
export const countedOtherwise: Readonly<Record<string, string>> = {
  too_many_requests: 'a rate, which `http/console/limits` counts in memory',
  many_users_too_many: 'the size of one selection',
  channel_keys_too_many:
    'the size of one body; `operation/two-at-once` has the calls that add keys to a channel',
  option_too_many: 'the size of one value, which is replaced as a whole under the lock of the options',
}

/** Decides whether a call created its row; payment calls respond in their own shape. */
export const isCreated = ({ success, message }: Envelope<unknown>) =>
  success === true || message === 'success'
