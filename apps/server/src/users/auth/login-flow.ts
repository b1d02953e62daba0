import { passwordMaxLength } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { sha256 } from '../../lib/crypto.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/repositories/users.ts'
import type { AttemptLimiter } from './attempt-limiter.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactors } from './second-factor.ts'
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
}

/** A session, or the secret that this browser must present with the code of its second factor. */
export type Login = OpenedSession | { readonly user?: undefined; readonly challenge: string }

export const challengeLifetimeSeconds = 300

const purpose = 'login-second-factor'
const challengeLength = 43
const triesPerChallenge = 5

/** Continues after a correct first proof: opens a session, or asks for the second factor where there is one. */
export type OpenLogin = (user: User, place: LoginContext) => Promise<Login>

interface Dependencies extends Pick<Services, 'store' | 'clock'> {
  readonly sessions: Pick<Sessions, 'create' | 'end'>
  readonly secondFactors: Pick<SecondFactors, 'isOn' | 'verify'>
}

export interface LoginFlow {
  readonly open: OpenLogin
  /** For a proof that counts as both factors. */
  readonly openSession: (user: User, place: LoginContext) => Promise<OpenedSession>
  /** The second step of a login: the browser's challenge and a code. */
  readonly finish: (
    challenge: string | undefined,
    code: string,
    place: LoginContext,
  ) => Promise<OpenedSession>
}

/** The one way to a session, for every first proof. */
export function createLoginFlow({ store, sessions, secondFactors, clock }: Dependencies): LoginFlow {
  const { oneTimeSecrets } = store

  async function openSession(user: User, { sessionId, device }: LoginContext): Promise<OpenedSession> {
    if (sessionId !== undefined) await sessions.end(sessionId)
    return { user, sessionId: await sessions.create(user.id, device) }
  }

  async function challengeFor(userId: number): Promise<string> {
    const challenge = randomAlphanumerics(challengeLength)
    const createdAt = unixSeconds(clock)
    await oneTimeSecrets.put({
      purpose,
      userId,
      subject: sha256(challenge),
      secretHash: '',
      data: String(userId),
      createdAt,
      expiresAt: createdAt + challengeLifetimeSeconds,
    })
    return challenge
  }

  return {
    openSession,
    async open(user, place) {
      if (!(await secondFactors.isOn(user.id))) return openSession(user, place)
      return { challenge: await challengeFor(user.id) }
    },
    async finish(challenge, code, place) {
      const subject = sha256(challenge ?? '')
      const tried = await oneTimeSecrets.attempt(purpose, subject, unixSeconds(clock), triesPerChallenge)
      if (tried === undefined) throw new Refusal('login_expired')
      const userId = Number(tried.data)
      await secondFactors.verify(userId, code)
      const taken = await oneTimeSecrets.take(purpose, subject, '', unixSeconds(clock))
      const user = await store.users.find(userId)
      const isThere = user?.deletedAt === null && user.status === 'enabled'
      if (taken === undefined || !isThere) throw new Refusal('login_expired')
      return openSession(user, place)
    },
  }
}

interface LoginDependencies extends Pick<Services, 'store' | 'settings' | 'logger'> {
  readonly openLogin: OpenLogin
  readonly passwords: Passwords
  readonly attempts: AttemptLimiter
}

export interface LoginAttempt extends LoginContext {
  /** Username or e-mail address. */
  readonly username: string
  readonly password: string
}

/**
 * Opens a session for a username or e-mail address and its password, or asks for the second factor. A wrong name, a wrong
 * password and a banned user take the same time and get the same response.
 */
export function createLogin({ store, settings, openLogin, passwords, attempts, logger }: LoginDependencies) {
  async function authenticate(name: string, password: string): Promise<User> {
    const user = await store.users.findByLogin(name)
    const account = user?.id ?? name.toLowerCase()
    return attempts.counted({ kind: 'password', account }, async () => {
      const isRight = await passwords.verify(password, user?.passwordHash ?? '')
      if (user === undefined || !isRight || user.status !== 'enabled') throw new Refusal('login_failed')
      return user
    })
  }

  async function upgradeHash(user: User, password: string): Promise<void> {
    if (!passwords.isOutdated(user.passwordHash)) return
    try {
      await store.users.update(user.id, { passwordHash: await passwords.hash(password) })
    } catch (err) {
      logger.warn(
        { err, userId: user.id },
        'the password hash could not be upgraded; the next login tries again',
      )
    }
  }

  return async ({ username, password, ...place }: LoginAttempt): Promise<Login> => {
    if (!settings.current.PasswordLoginEnabled) throw new Refusal('password_login_disabled')
    const name = username.trim()
    if (name === '' || password === '') throw new Refusal('login_fields_empty')
    if (password.length > 4 * passwordMaxLength) throw new Refusal('login_failed')
    const user = await authenticate(name, password)
    await upgradeHash(user, password)
    return openLogin(user, place)
  }
}
