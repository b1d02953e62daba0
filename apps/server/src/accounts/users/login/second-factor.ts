import { roles } from '@tollgate/api'
import { secondsOf } from '@tollgate/base'
import type { Vault } from '../../../lib/crypto.ts'
import { randomAlphanumerics } from '../../../lib/random.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { Services } from '../../../services.ts'
import type { SecondFactor } from '../../../store/accounts/second-factors.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import { activeUser, refusingDuplicates } from '../stored-users.ts'
import type { AccountOwner, Credentials } from './credentials.ts'
import type { AttemptLimiter, CountedTry } from './guesses/attempt-limiter.ts'
import type { ClientInfo, SecurityAlerts } from './security-alerts.ts'

export interface SecondFactorStatus {
  /** `undefined` while it is off. */
  readonly enabledAt: number | undefined
  readonly recoveryCodesLeft: number
}

const purpose = 'second-factor-begun'
const beginSeconds = 600
const triesOfStarted = 10
/** Limit for each person, of all strangers together: a password alone must not allow guessing. */
const tryLimit = { max: 10, windowSeconds: 900 } as const

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'vault' | 'clock'> {
  readonly credentials: Pick<Credentials, 'writeOwn'>
  readonly attempts: Pick<AttemptLimiter, 'ownTry'>
}

/** Time-based codes as a second proof, with recovery codes for a lost device. */
export function createSecondFactors(deps: Dependencies) {
  const { store, settings, credentials, attempts, vault, clock } = deps
  const { secondFactors, oneTimeSecrets } = store
  const now = secondsOf(clock)
  const hashOf = (userId: number) => (code: string) => recoveryCodeHash(vault, userId, code)

  /** The time step of a code that is right and newer than the last used one; `undefined` for any other. */
  function stepOf(
    { userId, secretSealed, lastStep }: SecondFactor,
    code: string,
  ): Promise<number | undefined> {
    return stepOfCode(vault.open(secretSealed, sealContexts.secondFactor(userId)), code, clock.now()).then(
      (step) => (step !== undefined && step > lastStep ? step : undefined),
    )
  }

  /** Counts a try with all others at the person's codes, or on a budget of the visitor's own. */
  async function countedTry(
    userId: number,
  ): Promise<{ readonly factor: SecondFactor; readonly own?: CountedTry }> {
    const counted = await secondFactors.countAttempt(userId, now(), tryLimit)
    if (counted !== undefined) return { factor: counted }
    const factor = await secondFactors.find(userId)
    if (factor === undefined) throw new Refusal('second_factor_off')
    const own = await attempts.ownTry({ kind: 'second-factor', account: userId })
    if (own !== undefined) return { factor, own }
    const { windowSeconds } = tryLimit
    throw new Refusal(
      'second_factor_blocked',
      { minutes: windowSeconds / 60 },
      { retryAfterSeconds: windowSeconds },
    )
  }

  async function verify(userId: number, code: string): Promise<void> {
    const { factor, own } = await countedTry(userId)
    const step = await stepOf(factor, code)
    const isRight =
      step === undefined
        ? await secondFactors.useRecoveryCode(userId, hashOf(userId)(code))
        : await secondFactors.useStep(userId, step)
    if (!isRight) throw new Refusal('second_factor_wrong')
    await own?.giveBack()
  }

  async function pendingSecret(userId: number): Promise<string> {
    const pending = await oneTimeSecrets.attempt(purpose, String(userId), now(), triesOfStarted)
    if (pending === undefined) throw new Refusal('second_factor_not_begun')
    return pending.data
  }

  async function refuseWhenOn(userId: number): Promise<void> {
    if ((await secondFactors.find(userId)) !== undefined) throw new Refusal('second_factor_on')
  }

  return {
    /** Refuses unless the code is right and unused: of the device, or a recovery code. */
    verify,
    isOn: async (userId: number): Promise<boolean> => (await secondFactors.find(userId)) !== undefined,
    async status(userId: number): Promise<SecondFactorStatus> {
      const factor = await secondFactors.find(userId)
      return {
        enabledAt: factor?.createdAt,
        recoveryCodesLeft: await secondFactors.countRecoveryCodes(userId),
      }
    },
    /** A new secret. Takes effect when `confirm` has received a code of it. */
    async begin(owner: AccountOwner): Promise<{ readonly secret: string; readonly uri: string }> {
      const { id, username } = owner.user
      await refuseWhenOn(id)
      const { secret, uri } = await newTotp(settings.current.SystemName, username)
      const pending = {
        purpose,
        subject: String(id),
        secretHash: '',
        data: vault.seal(secret, sealContexts.secondFactor(id)),
        createdAt: now(),
        expiresAt: now() + beginSeconds,
      }
      await credentials.writeOwn(owner, (tx, account) => tx.oneTimeSecrets.putOwn(account, pending))
      return { secret, uri }
    },
    /** Switches it on; returns the recovery codes, which are shown only this once. */
    async confirm(owner: AccountOwner, code: string): Promise<readonly string[]> {
      const userId = owner.user.id
      await refuseWhenOn(userId)
      const secretSealed = await pendingSecret(userId)
      const step = await stepOf({ userId, secretSealed, lastStep: 0, createdAt: 0 }, code)
      if (step === undefined) throw new Refusal('second_factor_wrong')
      const codes = newRecoveryCodes()
      const factor = { secretSealed, lastStep: step, createdAt: now() }
      const created = credentials.writeOwn(owner, async (tx, account) => {
        await tx.secondFactors.create(account, factor, codes.map(hashOf(userId)))
        await tx.oneTimeSecrets.take(purpose, String(userId), '', now())
      })
      await refusingDuplicates(created, 'second_factor_on')
      return codes
    },
    async disable(owner: AccountOwner, code: string): Promise<void> {
      await verify(owner.user.id, code)
      await credentials.writeOwn(owner, (tx, { id }) => tx.secondFactors.delete(id))
    },
    async renewRecoveryCodes(owner: AccountOwner, code: string): Promise<readonly string[]> {
      const userId = owner.user.id
      await verify(userId, code)
      const codes = newRecoveryCodes()
      await credentials.writeOwn(owner, (tx, account) =>
        tx.secondFactors.replaceRecoveryCodes(account, codes.map(hashOf(userId))),
      )
      return codes
    },
  }
}

export type SecondFactors = ReturnType<typeof createSecondFactors>

/** Parameters of RFC 6238 that every authenticator has by default. */
const periodSeconds = 30
const digits = 6
/** Steps before and after the present one that count, for clocks that are off. */
const window = 1
const secretBytes = 20

// Few people use it, so the library loads at the first use.
const library = () => import('otpauth')

/** @param issuer the installation's name, as the authenticator shows it */
export async function newTotp(
  issuer: string,
  label: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const { Secret, TOTP } = await library()
  const secret = new Secret({ size: secretBytes })
  const uri = new TOTP({ issuer, label, secret, digits, period: periodSeconds }).toString()
  return { secret: secret.base32, uri }
}

/** Number of the time step of a code; `undefined` when it is not of about now. Compares in constant time. */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  const token = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const { Secret, TOTP } = await library()
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits, period: periodSeconds })
  const delta = totp.validate({ token, timestamp: nowMs, window })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + delta
}

const codes = 10
/** Half of a code: ten characters of 36 are more than fifty bits. */
const half = 5

/** `xxxxx-xxxxx`, in lower case, because people type them from paper. */
function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: codes }, () => `${lowerCase()}-${lowerCase()}`)
}

function lowerCase(): string {
  return randomAlphanumerics(half).toLowerCase()
}

/** Hashes the normalised code, however it was typed. */
function recoveryCodeHash(vault: Pick<Vault, 'hash'>, userId: number, code: string): string {
  return vault.hash(`recovery ${userId} ${code.replace(/[\s-]/g, '').toLowerCase()}`)
}

/** Lets an administrator of higher rank switch off a lost second factor; the owner receives an alert. */
export type ResetSecondFactor = (actor: Actor, userId: number, by: ClientInfo) => Promise<void>

interface ResetDependencies extends Pick<Services, 'store' | 'auditLog'> {
  readonly alerts: Pick<SecurityAlerts, 'send'>
}

export function createResetSecondFactor({ store, auditLog, alerts }: ResetDependencies): ResetSecondFactor {
  return async (actor, userId, by) => {
    const user = await store.transaction(async (tx) => {
      const user = activeUser(await tx.users.lock(userId))
      // One's own is switched off by a code, root's too.
      if (roles[actor.role] <= roles[user.role]) throw new Refusal('permission_denied')
      if ((await tx.secondFactors.find(userId)) === undefined) throw new Refusal('second_factor_off')
      await tx.secondFactors.delete(userId)
      const target = { kind: 'user', id: userId, name: user.username } as const
      const [before, after] = [{ second_factor: true }, { second_factor: false }]
      await auditLog.record(actor, { action: 'user.reset-second-factor', target, before, after }, tx)
      return user
    })
    alerts.send(user, 'second-factor-off', by)
  }
}
