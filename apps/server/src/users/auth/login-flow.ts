import { passwordMaxLength } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { sha256 } from '../../lib/crypto.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/repositories/users.ts'
import type { AdminDuties } from './admin-duties.ts'
import type { AttemptLimiter } from './attempt-limiter.ts'
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
  /** How long the browser may keep the session's cookie. */
  readonly maxAgeSeconds: number
}

/** A session, or the secret that this browser must present with the code of its second factor. */
export type Login = OpenedSession | { readonly user?: undefined; readonly challenge: string }

export const challengeLifetimeSeconds = 300

const purpose = 'login-second-factor'
const challengeLength = 43
const triesPerChallenge = 5
const challengeData = z.object({ userId: z.number(), method: z.string() })

/**
 * Continues after a correct first proof: opens a session, or asks for the second factor where there is one.
 * @param method the first proof, for the record: `password`, or the name of a provider
 */
export type OpenLogin = (user: User, place: LoginContext, method: string) => Promise<Login>

interface Dependencies extends Pick<Services, 'store' | 'clock'> {
  readonly sessions: Pick<Sessions, 'create' | 'end' | 'lifetime'>
  readonly secondFactors: Pick<SecondFactors, 'isOn' | 'verify'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
  readonly duties: Pick<AdminDuties, 'refuseAddress'>
}

export interface LoginFlow {
  readonly open: OpenLogin
  /** For a proof that counts as both factors. */
  readonly openSession: (user: User, place: LoginContext, method: string) => Promise<OpenedSession>
  /** The second step of a login: the browser's challenge and a code. */
  readonly finish: (
    challenge: string | undefined,
    code: string,
    place: LoginContext,
  ) => Promise<OpenedSession>
}

/** The one way to a session, for every first proof. */
export function createLoginFlow(deps: Dependencies): LoginFlow {
  const { store, sessions, secondFactors, securityEvents, duties, clock } = deps
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
    if (sessionId !== undefined) await sessions.end(sessionId)
    const opened = {
      user,
      sessionId: await sessions.create(user.id, device),
      maxAgeSeconds: sessions.lifetime(),
    }
    await securityEvents.record({ user, kind: 'login', detail: method, device })
    return opened
  }

  async function challengeFor(userId: number, method: string): Promise<string> {
    const challenge = randomAlphanumerics(challengeLength)
    const createdAt = unixSeconds(clock)
    await oneTimeSecrets.put({
      purpose,
      userId,
      subject: sha256(challenge),
      secretHash: '',
      data: JSON.stringify({ userId, method }),
      createdAt,
      expiresAt: createdAt + challengeLifetimeSeconds,
    })
    return challenge
  }

  return {
    openSession,
    async open(user, place, method) {
      if (!(await secondFactors.isOn(user.id))) return openSession(user, place, method)
      return { challenge: await challengeFor(user.id, method) }
    },
    async finish(challenge, code, place) {
      const subject = sha256(challenge ?? '')
      const tried = await oneTimeSecrets.attempt(purpose, subject, unixSeconds(clock), triesPerChallenge)
      if (tried === undefined) throw new Refusal('login_expired')
      const { userId, method } = challengeData.parse(JSON.parse(tried.data))
      const user = await store.users.find(userId)
      if (user?.deletedAt !== null || user.status !== 'enabled') throw new Refusal('login_expired')
      try {
        await secondFactors.verify(userId, code)
      } catch (error) {
        await securityEvents.record({ user, kind: 'second-factor-failed', device: place.device })
        throw error
      }
      const taken = await oneTimeSecrets.take(purpose, subject, '', unixSeconds(clock))
      if (taken === undefined) throw new Refusal('login_expired')
      return openSession(user, place, method)
    },
  }
}

interface LoginDependencies extends Pick<Services, 'store' | 'settings' | 'logger'> {
  readonly securityEvents: Pick<SecurityEvents, 'record'>
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
export function createLogin(deps: LoginDependencies) {
  const { store, settings, openLogin, passwords, attempts, securityEvents, logger } = deps

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
    const user = await authenticate(name, password, place.device)
    await upgradeHash(user, password)
    return openLogin(user, place, 'password')
  }
}
