import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { type Language, mailedSecretMinutes, verificationCodeLength } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { NewSecret } from '../../store/accounts/one-time-secrets.ts'
import { readMailAddress } from '../mail/mail-address.ts'
import type { Mailer } from '../mail/mailer.ts'
import { addressInUseMessage, verificationCodeMessage } from '../mail/templates.ts'
import type { Credentials } from './login/credentials.ts'
import type { AttemptLimiter } from './login/guesses/attempt-limiter.ts'
import type { RecipientLimit } from './recipient-limit.ts'
import { activeUser } from './stored-users.ts'

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly mailer: Mailer
  readonly codes: EmailCodes
  readonly limit: RecipientLimit
}

interface CodeRequest {
  readonly email: string
  /** Id of a visitor with a session, who wants to bind the address. */
  readonly userId: number | undefined
  readonly language: Language
}

/**
 * Mails a code that proves the address. When the address belongs to an account already, mails its owner a notice instead;
 * the caller gets the same response after the same time.
 */
export function createSendVerificationCode({ store, settings, mailer, codes, limit }: Dependencies) {
  return async ({ email, userId, language }: CodeRequest): Promise<void> => {
    const address = mailAddressOf(email)
    refuseUnwelcomeAddress(address, settings.current)
    if (!mailer.isConfigured) throw new Refusal('mail_not_configured')
    await limit.take(address)
    const owner = await store.users.findByIdentity('email', address)
    const facts = { systemName: settings.current.SystemName, language }
    const message =
      owner === undefined
        ? verificationCodeMessage({
            ...facts,
            code: await codes.issue({ email: address, userId }),
            minutes: mailedSecretMinutes,
          })
        : addressInUseMessage(facts)
    await mailer.send({ to: owner?.email ?? address, ...message })
  }
}

const purpose = 'verify-email'
const maxAttempts = 5

/** Proof by a code: this visitor reads the mail of this address. */
export interface EmailProof {
  readonly email: string
  /** Id of a visitor with a session: the code is valid for that account alone. */
  readonly userId: number | undefined
}

interface CodesDependencies extends Pick<Services, 'store' | 'vault' | 'clock'> {
  readonly attempts: AttemptLimiter
  readonly credentials: Pick<Credentials, 'write'>
}

/** Codes that are mailed to an address: single use, five attempts, ten minutes, valid on every node. */
export function createEmailCodes({ store, credentials, vault, clock, attempts }: CodesDependencies) {
  const hashOf = (subject: string, code: string) => vault.hash(`${purpose} ${subject} ${code}`)

  async function put(secret: NewSecret, { userId }: EmailProof): Promise<void> {
    if (userId === undefined) return store.oneTimeSecrets.put(secret)
    const user = activeUser(await store.users.find(userId))
    await credentials.write(user, (tx, account) => tx.oneTimeSecrets.putOwn(account, secret))
  }

  return {
    /** A new code, replacing an earlier one. */
    async issue(proof: EmailProof): Promise<string> {
      const code = randomBytes(verificationCodeLength / 2).toString('hex')
      const subject = subjectOf(proof)
      const createdAt = unixSeconds(clock)
      const expiresAt = createdAt + mailedSecretMinutes * 60
      await put(
        { purpose, subject, secretHash: hashOf(subject, code), data: '', createdAt, expiresAt },
        proof,
      )
      return code
    },
    /** Uses the code up, or refuses with `verification_code_wrong`. */
    redeem: (proof: EmailProof, code: string): Promise<void> =>
      attempts.counted({ kind: 'mailed-code' }, async () => {
        const subject = subjectOf(proof)
        const now = unixSeconds(clock)
        const secretHash = hashOf(subject, code.trim().toLowerCase())
        const tried = await store.oneTimeSecrets.attempt(purpose, subject, now, maxAttempts)
        const isRight = tried?.secretHash === secretHash
        const taken = isRight && (await store.oneTimeSecrets.take(purpose, subject, secretHash, now))
        if (!taken) throw new Refusal('verification_code_wrong')
      }),
  }
}

export type EmailCodes = ReturnType<typeof createEmailCodes>

function subjectOf({ email, userId }: EmailProof): string {
  return `${userId ?? 'new'} ${email.toLowerCase()}`
}

export type EmailSettings = Pick<
  SettingValues,
  'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'
>

/** The part of a wrong address that a message repeats. */
const visibleLength = 100

/** The address in `text`. Refuses a text without one, or with several. */
export function mailAddressOf(text: string): string {
  const address = readMailAddress(text)
  if (address === undefined) throw new Refusal('email_invalid', { email: text.slice(0, visibleLength) })
  return address
}

/** Returns the reason for which an address may not belong to an account here: its domain, or that it is an alias. */
export function reasonAgainstAddress(
  address: string,
  settings: EmailSettings,
): 'email_domain_not_allowed' | 'email_alias_not_allowed' | undefined {
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  // The domain is empty for an entry that names none: such an entry admits nobody.
  const isWelcome =
    domain !== '' && settings.EmailDomainWhitelist.some((entry) => domainToASCII(entry) === domain)
  if (settings.EmailDomainRestrictionEnabled && !isWelcome) return 'email_domain_not_allowed'
  const isAlias = /[+.]/.test(address.slice(0, at))
  return settings.EmailAliasRestrictionEnabled && isAlias ? 'email_alias_not_allowed' : undefined
}

export function refuseUnwelcomeAddress(address: string, settings: EmailSettings): void {
  const reason = reasonAgainstAddress(address, settings)
  if (reason !== undefined) throw new Refusal(reason)
}
