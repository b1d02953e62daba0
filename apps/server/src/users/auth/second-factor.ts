import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import { DuplicateError } from '../../store/errors.ts'
import type { SecondFactor } from '../../store/repositories/second-factors.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { newTotp, stepOfCode } from './totp.ts'

/** Time-based codes as a second proof, with recovery codes for a lost device. */
export interface SecondFactors {
  isOn(userId: number): Promise<boolean>
  status(userId: number): Promise<SecondFactorStatus>
  /** A new secret. It is on once `confirm` has seen a code of it. */
  begin(user: Pick<User, 'id' | 'username'>): Promise<{ readonly secret: string; readonly uri: string }>
  /** Switches it on; answers the recovery codes, which are shown this once. */
  confirm(userId: number, code: string): Promise<readonly string[]>
  /** Refuses unless the code is a right one that was not used before: of the device, or a recovery code. */
  verify(userId: number, code: string): Promise<void>
  disable(userId: number, code: string): Promise<void>
  renewRecoveryCodes(userId: number, code: string): Promise<readonly string[]>
}

export interface SecondFactorStatus {
  /** `undefined` while it is off. */
  readonly enabledAt: number | undefined
  readonly recoveryCodesLeft: number
}

interface Dependencies {
  readonly store: Pick<Store, 'secondFactors' | 'oneTimeSecrets'>
  readonly settings: SettingsReader
  readonly vault: Vault
  readonly clock: Clock
}

const purpose = 'second-factor-begun'
const beginSeconds = 600
const triesOfStarted = 10
/** For each person, whatever address the tries come from: a password alone must not open the way to guessing. */
const tryLimit = { maximum: 10, windowSeconds: 900 } as const

export function createSecondFactors({ store, settings, vault, clock }: Dependencies): SecondFactors {
  const { secondFactors, oneTimeSecrets } = store
  const now = () => unixSeconds(clock)
  const hashOf = (userId: number) => (code: string) => recoveryCodeHash(vault, userId, code)

  /** The step of a code that is right and newer than what was used; `undefined` for any other. */
  function stepOf({ secretSealed, lastStep }: SecondFactor, code: string): Promise<number | undefined> {
    return stepOfCode(vault.open(secretSealed), code, clock.now()).then((step) =>
      step !== undefined && step > lastStep ? step : undefined,
    )
  }

  async function countedTry(userId: number): Promise<SecondFactor> {
    const factor = await secondFactors.countAttempt(userId, now(), tryLimit)
    if (factor !== undefined) return factor
    const isOn = (await secondFactors.find(userId)) !== undefined
    if (!isOn) throw new Refusal('second_factor_off')
    throw new Refusal('second_factor_blocked', { minutes: tryLimit.windowSeconds / 60 })
  }

  async function verify(userId: number, code: string): Promise<void> {
    const factor = await countedTry(userId)
    const step = await stepOf(factor, code)
    const isRight =
      step === undefined
        ? await secondFactors.useRecoveryCode(userId, hashOf(userId)(code))
        : await secondFactors.useStep(userId, step)
    if (!isRight) throw new Refusal('second_factor_wrong')
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
    verify,
    isOn: async (userId) => (await secondFactors.find(userId)) !== undefined,
    async status(userId) {
      const factor = await secondFactors.find(userId)
      return {
        enabledAt: factor?.createdAt,
        recoveryCodesLeft: await secondFactors.countRecoveryCodes(userId),
      }
    },
    async begin({ id, username }) {
      await refuseWhenOn(id)
      const { secret, uri } = await newTotp(settings.current.SystemName, username)
      await oneTimeSecrets.put({
        purpose,
        userId: id,
        subject: String(id),
        secretHash: '',
        data: vault.seal(secret),
        createdAt: now(),
        expiresAt: now() + beginSeconds,
      })
      return { secret, uri }
    },
    async confirm(userId, code) {
      await refuseWhenOn(userId)
      const secretSealed = await pendingSecret(userId)
      const step = await stepOf({ userId, secretSealed, lastStep: 0, createdAt: 0 }, code)
      if (step === undefined) throw new Refusal('second_factor_wrong')
      const codes = newRecoveryCodes()
      const factor = { userId, secretSealed, lastStep: step, createdAt: now() }
      await secondFactors.create(factor, codes.map(hashOf(userId))).catch((cause: unknown) => {
        throw cause instanceof DuplicateError ? new Refusal('second_factor_on', {}, { cause }) : cause
      })
      await oneTimeSecrets.take(purpose, String(userId), '', now())
      return codes
    },
    async disable(userId, code) {
      await verify(userId, code)
      await secondFactors.delete(userId)
    },
    async renewRecoveryCodes(userId, code) {
      await verify(userId, code)
      const codes = newRecoveryCodes()
      await secondFactors.replaceRecoveryCodes(userId, codes.map(hashOf(userId)))
      return codes
    },
  }
}
