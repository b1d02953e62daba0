import { unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'

/** The secret that a try is for: the password of one account, or a code that works for every visitor who guesses it. */
export type GuessableSecret =
  | { readonly kind: 'password'; readonly account: number | string }
  | { readonly kind: 'mailed-code' | 'wechat-code' }

export interface AttemptLimiterConfig {
  readonly CRITICAL_RATE_LIMIT: number
  readonly CRITICAL_RATE_LIMIT_DURATION: number
}

/**
 * The account's limit as a multiple of one address's. It is higher, so that a few strangers cannot lock the owner out.
 */
const factors: Readonly<Record<GuessableSecret['kind'], number>> = {
  password: 5,
  'mailed-code': 10,
  'wechat-code': 10,
}

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock'> {
  readonly config: AttemptLimiterConfig
}

/**
 * Counts failed attempts at secrets in the database, so that neither a restart nor another address nor another node
 * forgets them.
 */
export function createAttemptLimiter({ store, vault, clock, config }: Dependencies) {
  const { oneTimeSecrets } = store
  return {
    /**
     * Runs a check that throws a `Refusal` for a wrong secret. An attempt that passes, or fails for another reason, is
     * not counted.
     * @throws Refusal `too_many_requests` without running the check when the attempts of the window are used up
     */
    async counted<T>(secret: GuessableSecret, check: () => Promise<T>): Promise<T> {
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

export type AttemptLimiter = ReturnType<typeof createAttemptLimiter>
