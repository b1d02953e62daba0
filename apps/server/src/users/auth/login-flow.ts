import { type Clock, unixSeconds } from '@tollgate/base'
import { sha256 } from '../../lib/crypto.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import type { SecondFactors } from './second-factor.ts'
import type { Device, Sessions } from './sessions.ts'

/** Where somebody signs in. */
export interface LoginContext {
  /** Session the browser has now; it ends, so that an id planted before the login is worth nothing after it. */
  readonly sessionId: string | undefined
  readonly device: Device
}

export interface OpenedSession {
  readonly user: User
  readonly sessionId: string
}

/** A session, or the secret that this browser has to show beside the code of its second factor. */
export type Login = OpenedSession | { readonly user?: undefined; readonly challenge: string }

export const challengeLifetimeSeconds = 300

const purpose = 'login-second-factor'
const challengeLength = 43
const triesPerChallenge = 5

/** Somebody's first proof was right: opens a session, or asks for the second factor where there is one. */
export type OpenLogin = (user: User, place: LoginContext) => Promise<Login>

interface Dependencies {
  readonly store: Pick<Store, 'users' | 'oneTimeSecrets'>
  readonly sessions: Pick<Sessions, 'create' | 'end'>
  readonly secondFactors: Pick<SecondFactors, 'isOn' | 'verify'>
  readonly clock: Clock
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

/** The one way to a session, whatever the first proof was. */
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
