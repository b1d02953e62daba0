import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Store } from '../../store/store.ts'

/** What is tried: the password of one account, or a code that would be right for anybody who guesses it. */
export type GuessableSecret =
  | { readonly kind: 'password'; readonly account: number | string }
  | { readonly kind: 'mailed-code' | 'wechat-code' }

/** Counts wrong tries at secrets in the database, so that neither a restart nor another address nor another node forgets them. */
export interface AttemptLimiter {
  /**
   * Runs a check that throws a `Refusal` for what is wrong. A try that passes, or fails for another reason, is not counted.
   * @throws Refusal `too_many_requests` without running the check when the tries of the window are used up
   */
  counted<T>(secret: GuessableSecret, check: () => Promise<T>): Promise<T>
}

export interface AttemptLimiterConfig {
  readonly CRITICAL_RATE_LIMIT: number
  readonly CRITICAL_RATE_LIMIT_DURATION: number
}

/** How many times the limit of one address. Accounts get some, so that a few strangers cannot lock their owner out. */
const factors: Readonly<Record<GuessableSecret['kind'], number>> = {
  password: 5,
  'mailed-code': 10,
  'wechat-code': 10,
}

interface Dependencies {
  readonly store: Pick<Store, 'oneTimeSecrets'>
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
  readonly config: AttemptLimiterConfig
}

export function createAttemptLimiter({ store, vault, clock, config }: Dependencies): AttemptLimiter {
  const { oneTimeSecrets } = store
  return {
    async counted(secret, check) {
      const purpose = `tried ${secret.kind}`
      const subject = secret.kind === 'password' ? vault.hash(`${purpose} ${secret.account}`) : 'site'
      const isAdmitted = await oneTimeSecrets.countAttempt(purpose, subject, unixSeconds(clock), {
        maximum: config.CRITICAL_RATE_LIMIT * factors[secret.kind],
        windowSeconds: config.CRITICAL_RATE_LIMIT_DURATION,
      })
      if (!isAdmitted) throw new Refusal('too_many_requests')
      const giveBack = () => oneTimeSecrets.refundAttempt(purpose, subject)
      const passed = await check().catch(async (error: unknown) => {
        if (!(error instanceof Refusal)) await giveBack()
        throw error
      })
      await giveBack()
      return passed
    },
  }
}
