import { randomBytes } from 'node:crypto'
import { type Language, mailedSecretMinutes, type ResetBody } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import type { DeliveryQueue } from '../../../lib/outbound/delivery-queue.ts'
import { randomAlphanumerics } from '../../../lib/random.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { passwordResetMessage } from '../../mail/templates.ts'
import { mailAddressOf } from '../email-verification.ts'
import type { RecipientLimit } from '../recipient-limit.ts'
import { isOpenAccount } from '../stored-users.ts'
import type { Credentials } from './credentials.ts'
import { type Passwords, refuseBadPassword } from './passwords.ts'
import { revokeCredentials } from './revoke-credentials.ts'
import type { ClientInfo, SecurityAlerts } from './security-alerts.ts'

const purpose = 'reset-password'
const tokenBytes = 32
const madeUpLength = 16

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'vault' | 'bus' | 'clock'> {
  readonly credentials: Pick<Credentials, 'write'>
  readonly mailer: Mailer
  readonly deliveries: Pick<DeliveryQueue, 'add'>
  readonly limit: RecipientLimit
  readonly passwords: Pick<Passwords, 'hash'>
  readonly alerts: Pick<SecurityAlerts, 'send'>
}

export function createPasswordReset(deps: Dependencies) {
  const { store, settings, credentials, mailer, deliveries, limit, passwords, vault, bus, alerts, clock } =
    deps
  /** Includes the address: a link to an earlier address of the account opens nothing. */
  const hashOf = ({ id, email }: User, token: string) =>
    vault.hash(`${purpose} ${id} ${email.toLowerCase()} ${token}`)

  async function issueToken(user: User): Promise<string> {
    const token = randomBytes(tokenBytes).toString('base64url')
    const createdAt = unixSeconds(clock)
    const secret = {
      purpose,
      subject: String(user.id),
      secretHash: hashOf(user, token),
      data: '',
      createdAt,
      expiresAt: createdAt + mailedSecretMinutes * 60,
    }
    await credentials.write(user, (tx, account) => tx.oneTimeSecrets.putOwn(account, secret))
    return token
  }

  /** Each try has a link of its own, which replaces the one before. Mails none once the account admits no one. */
  async function mailLink(userId: number, language: Language): Promise<void> {
    const user = await store.users.find(userId)
    if (!isOpenAccount(user)) return
    const query = new URLSearchParams({ email: user.email, token: await issueToken(user) })
    const message = passwordResetMessage({
      systemName: settings.current.SystemName,
      username: user.username,
      link: `${settings.current.ServerAddress}/user/reset?${query}`,
      minutes: mailedSecretMinutes,
      language,
    })
    await mailer.send({ to: user.email, ...message })
  }

  /** The account of a link; uses the link up. */
  async function redeem({ email, token }: ResetBody): Promise<User> {
    const user = await store.users.findByIdentity('email', email.trim())
    if (!isOpenAccount(user)) throw new Refusal('reset_link_invalid')
    const secretHash = hashOf(user, token)
    const taken = await store.oneTimeSecrets.take(purpose, String(user.id), secretHash, unixSeconds(clock))
    if (taken === undefined) throw new Refusal('reset_link_invalid')
    return user
  }

  return {
    /** Mails a link when the address has an account that may log in. Otherwise response and duration are the same. */
    async request(email: string, language: Language): Promise<void> {
      const address = mailAddressOf(email)
      if (!mailer.isConfigured) throw new Refusal('mail_not_configured')
      // The link must not come from the visitor's request, which could name another site.
      if (settings.current.ServerAddress === '') throw new Refusal('server_address_missing')
      await limit.take(address)
      const user = await store.users.findByIdentity('email', address)
      if (!isOpenAccount(user)) return
      // In the background: how long it takes would say that there is an account.
      const about = { userId: user.id, mail: 'password-reset' }
      deliveries.add({ kind: 'mail', about, send: () => mailLink(user.id, language) })
    },

    /**
     * Sets a new password for the account of the link, revokes its other credentials, and mails its owner.
     * @returns the new password when none was given and one was generated
     */
    async confirm(body: ResetBody, by: ClientInfo): Promise<string | undefined> {
      if (body.email.trim() === '' || body.token === '') throw new Refusal('reset_link_invalid')
      if (body.password !== '') refuseBadPassword(body.password)
      const owner = await redeem(body)
      const { id } = owner
      const password = body.password === '' ? randomAlphanumerics(madeUpLength) : body.password
      const passwordHash = await passwords.hash(password)
      const replace = async (tx: Store) => {
        await tx.users.update(id, { passwordHash })
        await revokeCredentials(tx, [id], 'password-replaced')
      }
      await credentials.write(owner, replace, 'reset_link_invalid')
      bus.publish('user-changed', { id })
      alerts.send(owner, 'password', by)
      return body.password === '' ? password : undefined
    },
  }
}
