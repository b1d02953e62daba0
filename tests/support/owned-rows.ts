import type { ownedRows } from '../../apps/server/src/accounts/users/owned-rows.ts'
import { createSoftwareAuthenticator } from '../../apps/server/src/accounts/users/test-support/software-authenticator.ts'
import type { Envelope, Operator } from './operator.ts'

/** The site's address, which passkeys are bound to and orders return to. */
export const siteAddress = 'https://console.example'

/** A kind of rows that a user may have a limited number of. */
interface OwnedKind {
  readonly max: number
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

/** Each kind of the gateway's own table. */
export const ownedKinds: Readonly<Record<keyof typeof ownedRows, OwnedKind>> = {
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
}

/** Decides whether a call created its row; payment calls respond in their own shape. */
export const isCreated = ({ success, message }: Envelope<unknown>) =>
  success === true || message === 'success'
