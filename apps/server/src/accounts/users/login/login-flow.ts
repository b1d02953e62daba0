import { passwordMaxLength } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { sha256 } from '../../../lib/crypto.ts'
import { randomAlphanumerics } from '../../../lib/random.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { OneTimeSecret } from '../../../store/accounts/one-time-secrets.ts'
import type { User } from '../../../store/accounts/users.ts'
import { isOpenAccount } from '../stored-users.ts'
import type { AdminDuties } from './admin-duties.ts'
import type { Credentials } from './credentials.ts'
import type { AttemptLimiter } from './guesses/attempt-limiter.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactors } from './second-factor.ts'
import type { SecurityEvents } from './security-events.ts'
import type { Device, Sessions } from './sessions.ts'

/** The browser in which a user signs in. */
export interface LoginContext {
  /**
   * The browser's session before the login; it ends, so that an id planted before the login is worth nothing after it.
   */
  readonly sessionId: string | undefined
  readonly device: Device
}

export interface OpenedSession {
  readonly user: User
  readonly sessionId: string
  /** Time for which the browser may keep the session's cookie. */
  readonly maxAgeSeconds: number
}

/** A session, or the secret that this browser must present with the code of its second factor. */
export type Login = OpenedSession | { readonly user?: undefined; readonly challenge: string }

export const challengeLifetimeSeconds = 300

const purpose = 'login-second-factor'
const challengeLength = 43
const triesPerChallenge = 5
/** Data of a challenge, with the version of the credentials that the first proof was checked against. */
const challengeData = z.object({ userId: z.number(), method: z.string(), version: z.number() })

/**
 * Continues after a correct first proof: opens a session, or asks for the second factor where there is one.
 * @param user as the first proof was checked against them
 * @param method the first proof, for the record: `password`, or the name of a provider
 */
export type OpenLogin = (user: User, context: LoginContext, method: string) => Promise<Login>

interface Dependencies extends Pick<Services, 'store' | 'clock'> {
  readonly credentials: Pick<Credentials, 'write'>
  readonly sessions: Pick<Sessions, 'create' | 'lifetime'>
  readonly secondFactors: Pick<SecondFactors, 'isOn' | 'verify'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
  readonly duties: Pick<AdminDuties, 'refuseAddress'>
}

export interface LoginFlow {
  readonly open: OpenLogin
  /** Opens a session after a proof that counts as both factors. */
  readonly openSession: (user: User, context: LoginContext, method: string) => Promise<OpenedSession>
  /** The second step of a login: the browser's challenge and a code. */
  readonly finish: (
    challenge: string | undefined,
    code: string,
    context: LoginContext,
  ) => Promise<OpenedSession>
}

/** The one way to a session, for every first proof. */
export function createLoginFlow(deps: Dependencies): LoginFlow {
  const { store, credentials, sessions, secondFactors, securityEvents, duties, clock } = deps
  const { oneTimeSecrets } = store

  async function refuseAddress(user: User, device: Device): Promise<void> {
    try {
      duties.refuseAddress(user.role, device.address)
    } catch (refusal) {
      await securityEvents.record({ user, kind: 'login-failed', detail: 'address', device })
      throw refusal
    }
  }

  async function openSession(
    user: User,
    { sessionId, device }: LoginContext,
    method: string,
  ): Promise<OpenedSession> {
    await refuseAddress(user, device)
    const opened = {
      user,
      sessionId: await sessions.create(user, device, sessionId),
      maxAgeSeconds: sessions.lifetime(),
    }
    await securityEvents.record({ user, kind: 'login', detail: method, device })
    return opened
  }

  async function challengeFor(user: User, method: string): Promise<string> {
    const challenge = randomAlphanumerics(challengeLength)
    const createdAt = unixSeconds(clock)
    const secret = {
      purpose,
      subject: sha256(challenge),
      secretHash: '',
      data: JSON.stringify({ userId: user.id, method, version: user.credentialsVersion }),
      createdAt,
      expiresAt: createdAt + challengeLifetimeSeconds,
    }
    await credentials.write(user, (tx, account) => tx.oneTimeSecrets.putOwn(account, secret))
    return challenge
  }

  /** The user of a challenge, whose credentials are as they were at the first proof. */
  async function challenged({ data }: Pick<OneTimeSecret, 'data'>): Promise<{ user: User; method: string }> {
    const { data: known } = challengeData.safeParse(JSON.parse(data))
    const user = known && (await store.users.find(known.userId))
    if (!isOpenAccount(user) || user.credentialsVersion !== known?.version) throw new Refusal('login_expired')
    return { user, method: known.method }
  }

  return {
    openSession,
    async open(user, context, method) {
      if (!(await secondFactors.isOn(user.id))) return openSession(user, context, method)
      return { challenge: await challengeFor(user, method) }
    },
    async finish(challenge, code, context) {
      const subject = sha256(challenge ?? '')
      const tried = await oneTimeSecrets.attempt(purpose, subject, unixSeconds(clock), triesPerChallenge)
      if (tried === undefined) throw new Refusal('login_expired')
      const { user, method } = await challenged(tried)
      try {
        await secondFactors.verify(user.id, code)
      } catch (error) {
        await securityEvents.record({ user, kind: 'second-factor-failed', device: context.device })
        throw error
      }
      const taken = await oneTimeSecrets.take(purpose, subject, '', unixSeconds(clock))
      if (taken === undefined) throw new Refusal('login_expired')
      return openSession(user, context, method)
    },
  }
}

interface LoginDependencies extends Pick<Services, 'store' | 'settings' | 'logger'> {
  readonly credentials: Pick<Credentials, 'write'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
  readonly openLogin: OpenLogin
  readonly passwords: Passwords
  readonly attempts: AttemptLimiter
}

/** Times that a password is verified again, because the account changed while it was. */
const maxRetries = 2

export interface LoginAttempt extends LoginContext {
  /** Username or e-mail address. */
  readonly username: string
  readonly password: string
}

/**
 * Opens a session for a username or e-mail address and its password, or asks for the second factor. A wrong name, a wrong
 * password and a banned user take the same time and get the same response.
 */
export function createLogin(deps: LoginDependencies) {
  const { store, settings, credentials, openLogin, passwords, attempts, securityEvents, logger } = deps

  async function authenticate(name: string, password: string, device: Device): Promise<User> {
    const user = await store.users.findByLogin(name)
    const account = user?.id ?? name.toLowerCase()
    return attempts.counted({ kind: 'password', account }, async () => {
      const isRight = await passwords.verify(password, user?.passwordHash ?? '')
      if (user !== undefined && isRight && user.status === 'enabled') return user
      // In the background: how long it takes would say that there is an account.
      if (user !== undefined)
        void securityEvents.record({ user, kind: 'login-failed', detail: 'password', device })
      throw new Refusal('login_failed')
    })
  }

  /** The user with a hash of today's kind. */
  async function upgradeHash(user: User, password: string): Promise<User> {
    if (!passwords.isOutdated(user.passwordHash)) return user
    const passwordHash = await passwords.hash(password)
    try {
      await credentials.write(user, (tx, account) => tx.users.rehashPassword(account, passwordHash))
      return { ...user, passwordHash }
    } catch (err) {
      if (err instanceof Refusal) throw err
      logger.warn(
        { err, userId: user.id },
        'the password hash could not be upgraded; the next login tries again',
      )
      return user
    }
  }

  /** Verifies again when the account changed meanwhile: its password may still be this one, under another hash. */
  async function logIn(attempt: LoginAttempt, name: string, triesLeft: number): Promise<Login> {
    const { password, username: _username, ...context } = attempt
    const user = await authenticate(name, password, context.device)
    try {
      return await openLogin(await upgradeHash(user, password), context, 'password')
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'credentials_changed')) throw error
      if (triesLeft === 0) throw new Refusal('login_failed', {}, { cause: error })
      return logIn(attempt, name, triesLeft - 1)
    }
  }

  return async (attempt: LoginAttempt): Promise<Login> => {
    const { username, password } = attempt
    if (!settings.current.PasswordLoginEnabled) throw new Refusal('password_login_disabled')
    const name = username.trim()
    if (name === '' || password === '') throw new Refusal('login_fields_empty')
    if (password.length > 4 * passwordMaxLength) throw new Refusal('login_failed')
    return logIn(attempt, name, maxRetries)
  }
}
