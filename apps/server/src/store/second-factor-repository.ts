import type { Seconds } from './entities.ts'

/** A person's time-based codes (RFC 6238). */
export interface SecondFactor {
  readonly userId: number
  /** The shared secret, sealed. */
  readonly secretSealed: string
  /** Number of the time step whose code was used last: it and those before are worth nothing. */
  readonly lastStep: number
  readonly createdAt: Seconds
}

/** How often codes may be tried. */
export interface AttemptLimit {
  readonly maximum: number
  readonly windowSeconds: Seconds
}

export interface SecondFactorRepository {
  find(userId: number): Promise<SecondFactor | undefined>
  /** With its recovery codes. Throws `DuplicateError` when the user has one. */
  create(factor: SecondFactor, codeHashes: readonly string[]): Promise<void>
  /** Counts a try; `undefined` when there is no factor, or this window's tries are used up. */
  countAttempt(userId: number, now: Seconds, limit: AttemptLimit): Promise<SecondFactor | undefined>
  /** Marks a step as used and forgets the tries; false when it, or a later one, was used before. */
  useStep(userId: number, step: number): Promise<boolean>
  /** Removes a recovery code and forgets the tries; false when there is none. */
  useRecoveryCode(userId: number, codeHash: string): Promise<boolean>
  /** Those of before are gone. */
  replaceRecoveryCodes(userId: number, codeHashes: readonly string[]): Promise<void>
  countRecoveryCodes(userId: number): Promise<number>
  /** With its recovery codes. */
  delete(userId: number): Promise<void>
}
