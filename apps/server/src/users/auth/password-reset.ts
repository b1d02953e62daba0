import { randomBytes } from 'node:crypto'
import { type Language, mailedSecretMinutes, type ResetBody } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { RecipientLimit } from '../../mail/recipient-limit.ts'
import { passwordResetMessage } from '../../mail/templates/password-reset.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import { mailAddressOf } from '../email-rules.ts'
import { refuseBadPassword } from './credential-rules.ts'
import type { Passwords } from './passwords.ts'
import { revokeCredentials } from './revoke-credentials.ts'
import type { ClientInfo, SecurityAlerts } from './security-alerts.ts'

const purpose = 'reset-password'
const tokenBytes = 32
const madeUpLength = 16

export interface PasswordReset {
  /** Mails a link when the address has an account that may log in. The answer, and its time, are the same when not. */
  request(email: string, language: Language): Promise<void>
  /**
   * Sets a new password for the account of the link, ends what else opens it, and tells its owner.
   * @returns the new password when none was given and one was made up
   */
  confirm(body: ResetBody, by: ClientInfo): Promise<string | undefined>
}

interface Dependencies {
  readonly store: Store
  readonly settings: { readonly current: Pick<SettingValues, 'SystemName' | 'ServerAddress'> }
  readonly mailer: Mailer
  readonly limit: RecipientLimit
  readonly passwords: Pick<Passwords, 'hash'>
  readonly vault: Pick<Vault, 'hash'>
  readonly bus: ChangeBus
  readonly notices: Pick<SecurityAlerts, 'tell'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

export function createPasswordReset(deps: Dependencies): PasswordReset {
  const { store, settings, mailer, limit, passwords, vault, bus, notices, clock, logger } = deps
  /** Of the address too: a link to an address that the account had before opens nothing. */
  const hashOf = ({ id, email }: User, token: string) =>
    vault.hash(`${purpose} ${id} ${email.toLowerCase()} ${token}`)

  async function issueToken(user: User): Promise<string> {
    const token = randomBytes(tokenBytes).toString('base64url')
    const createdAt = unixSeconds(clock)
    await store.oneTimeSecrets.put({
      purpose,
      subject: String(user.id),
      userId: user.id,
      secretHash: hashOf(user, token),
      data: '',
      createdAt,
      expiresAt: createdAt + mailedSecretMinutes * 60,
    })
    return token
  }

  async function mailLink(user: User, language: Language): Promise<void> {
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

  /** The account of a link, which is used up by this. */
  async function redeem({ email, token }: ResetBody): Promise<User> {
    const user = await store.users.findByIdentity('email', email.trim())
    if (user === undefined || !mayLogIn(user)) throw new Refusal('reset_link_invalid')
    const secretHash = hashOf(user, token)
    const taken = await store.oneTimeSecrets.take(purpose, String(user.id), secretHash, unixSeconds(clock))
    if (taken === undefined) throw new Refusal('reset_link_invalid')
    return user
  }

  return {
    async request(email, language) {
      const address = mailAddressOf(email)
      if (!mailer.isConfigured) throw new Refusal('mail_not_configured')
      // The link must not be made of what the visitor's request says: that could be another site's name.
      if (settings.current.ServerAddress === '') throw new Refusal('server_address_missing')
      limit.take(address)
      const user = await store.users.findByIdentity('email', address)
      if (user === undefined || !mayLogIn(user)) return
      // Not waited for: how long it takes would say that there is an account.
      mailLink(user, language).catch((err: unknown) =>
        logger.warn({ err, userId: user.id }, 'a link for a new password could not be mailed'),
      )
    },

    async confirm(body, by) {
      if (body.email.trim() === '' || body.token === '') throw new Refusal('reset_link_invalid')
      if (body.password !== '') refuseBadPassword(body.password)
      const owner = await redeem(body)
      const { id } = owner
      const password = body.password === '' ? randomAlphanumerics(madeUpLength) : body.password
      const passwordHash = await passwords.hash(password)
      await store.transaction(async (tx) => {
        await tx.users.update(id, { passwordHash })
        await revokeCredentials(tx, [id], 'password-replaced')
      })
      bus.publish('user-changed', { id })
      notices.tell(owner, 'password', by)
      return body.password === '' ? password : undefined
    },
  }
}

function mayLogIn({ status, deletedAt }: User): boolean {
  return status === 'enabled' && deletedAt === null
}
