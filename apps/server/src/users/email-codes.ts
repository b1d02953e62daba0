import { randomBytes } from 'node:crypto'
import { mailedSecretMinutes, verificationCodeLength } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Store } from '../store/store.ts'
import type { AttemptLimiter } from './auth/attempt-limiter.ts'

const purpose = 'verify-email'
const maximumAttempts = 5

/** What a code proves: that this visitor reads what is sent to this address. */
export interface EmailProof {
  readonly email: string
  /** Of a visitor with a session: the code is good for that account alone. */
  readonly userId: number | undefined
}

/** Codes that are mailed to an address: single use, five tries, ten minutes, good on every node. */
export interface EmailCodes {
  /** A new code, in place of one that was issued before. */
  issue(proof: EmailProof): Promise<string>
  /** Uses the code up, or refuses with `verification_code_wrong`. */
  redeem(proof: EmailProof, code: string): Promise<void>
}

interface Dependencies {
  readonly store: Pick<Store, 'oneTimeSecrets'>
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
  readonly tries: AttemptLimiter
}

export function createEmailCodes({ store, vault, clock, tries }: Dependencies): EmailCodes {
  const hashOf = (subject: string, code: string) => vault.hash(`${purpose} ${subject} ${code}`)
  return {
    async issue(proof) {
      const code = randomBytes(verificationCodeLength / 2).toString('hex')
      const subject = subjectOf(proof)
      const createdAt = unixSeconds(clock)
      const expiresAt = createdAt + mailedSecretMinutes * 60
      await store.oneTimeSecrets.put({
        purpose,
        userId: proof.userId ?? 0,
        subject,
        secretHash: hashOf(subject, code),
        data: '',
        createdAt,
        expiresAt,
      })
      return code
    },
    redeem: (proof, code) =>
      tries.counted({ kind: 'mailed-code' }, async () => {
        const subject = subjectOf(proof)
        const now = unixSeconds(clock)
        const secretHash = hashOf(subject, code.trim().toLowerCase())
        const tried = await store.oneTimeSecrets.attempt(purpose, subject, now, maximumAttempts)
        const isRight = tried?.secretHash === secretHash
        const taken = isRight && (await store.oneTimeSecrets.take(purpose, subject, secretHash, now))
        if (!taken) throw new Refusal('verification_code_wrong')
      }),
  }
}

function subjectOf({ email, userId }: EmailProof): string {
  return `${userId ?? 'new'} ${email.toLowerCase()}`
}
