import { unixSeconds } from '@tollgate/base'
import { subscriberOf } from '../../../../lib/outbound/addresses.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import type { Services } from '../../../../services.ts'
import { currentVisitor, type Visitor } from './visitor.ts'

/** The secret that a try is for: a proof of one account, or a code that works for every visitor who guesses it. */
export type GuessableSecret =
  | { readonly kind: 'password' | 'second-factor'; readonly account: number | string }
  | { readonly kind: 'mailed-code' | 'wechat-code'; readonly account?: undefined }

export interface AttemptLimiterConfig {
  readonly CRITICAL_RATE_LIMIT: number
  readonly CRITICAL_RATE_LIMIT_DURATION: number
}

/** Numbers of tries at a secret by all strangers together, as multiples of one address's limit. */
const factors: Readonly<Record<Exclude<GuessableSecret['kind'], 'second-factor'>, number>> = {
  password: 5,
  'mailed-code': 10,
  'wechat-code': 10,
}

/** Log-ins of an account that are looked through for an address. */
const maxLogins = 500

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock'> {
  readonly config: AttemptLimiterConfig
}

/** One count of tries. */
interface Budget {
  readonly purpose: string
  readonly subject: string
  readonly max: number
}

/** A try that was admitted. */
export interface CountedTry {
  /** Takes the try back: it was right, or failed for another reason than a wrong secret. */
  giveBack(): Promise<void>
}

/**
 * Counts failed attempts at secrets in the database, so that neither a restart nor another address nor another node
 * forgets them. Strangers share one budget for each secret. Whoever comes from a browser or an address that has logged in to
 * the account, has a session of it, or has passed the human check, has a further budget that strangers cannot use up.
 */
export function createAttemptLimiter({ store, vault, clock, config }: Dependencies) {
  const { oneTimeSecrets, securityEvents } = store
  const { CRITICAL_RATE_LIMIT: limit, CRITICAL_RATE_LIMIT_DURATION: windowSeconds } = config

  async function take({ purpose, subject, max }: Budget): Promise<CountedTry | undefined> {
    const window = { max, windowSeconds }
    if (!(await oneTimeSecrets.countAttempt(purpose, subject, unixSeconds(clock), window))) return undefined
    return { giveBack: () => oneTimeSecrets.refundAttempt(purpose, subject) }
  }

  function sharedBudget({ kind, account }: GuessableSecret & { kind: keyof typeof factors }): Budget {
    const purpose = `tried ${kind}`
    const subject = account === undefined ? 'site' : vault.hash(`${purpose} ${account}`)
    return { purpose, subject, max: limit * factors[kind] }
  }

  async function hasLoggedInFrom(account: number, address: string): Promise<boolean> {
    const filter = { userIds: [account], kind: 'login' } as const
    const logins = await securityEvents.batch(filter, Number.MAX_SAFE_INTEGER, maxLogins)
    const subscriber = subscriberOf(address)
    return logins.some((login) => subscriberOf(login.address) === subscriber)
  }

  /** Yields the marks that distinguish the visitor from strangers, each with a budget of its own. */
  async function* familiarities(
    { account }: GuessableSecret,
    { userId, devices, address, isHuman }: Visitor & { readonly isHuman: boolean },
  ): AsyncGenerator<string> {
    const isOf = (owner: number | undefined) => owner !== undefined && (account ?? owner) === owner
    if (isOf(userId)) yield `session of ${userId}`
    for (const device of devices) if (isOf(device.userId)) yield `device ${device.id}`
    if (typeof account === 'number' && address !== '' && (await hasLoggedInFrom(account, address)))
      yield `address ${subscriberOf(address)}`
    if (isHuman) yield `human ${subscriberOf(address)}`
  }

  /** A try on a budget of the visitor's own; `undefined` for a stranger, or when it is used up. */
  async function ownTry(secret: GuessableSecret): Promise<CountedTry | undefined> {
    const visitor = currentVisitor()
    if (visitor === undefined) return undefined
    const purpose = `tried ${secret.kind} of one's own`
    for await (const familiarity of familiarities(secret, visitor)) {
      const subject = vault.hash(`${purpose} ${secret.account ?? 'site'} ${familiarity}`)
      const counted = await take({ purpose, subject, max: limit })
      if (counted !== undefined) return counted
    }
    return undefined
  }

  async function refuse({ purpose, subject }: Budget): Promise<never> {
    const now = unixSeconds(clock)
    const endsAt = await oneTimeSecrets.attemptsEnd(purpose, subject)
    throw new Refusal('too_many_requests', {}, { retryAfterSeconds: Math.max(1, (endsAt ?? now) - now) })
  }

  return {
    ownTry,
    /**
     * Runs a check that throws a `Refusal` for a wrong secret. An attempt that passes, or fails for another reason, is
     * not counted.
     * @throws Refusal `too_many_requests` without running the check when the attempts of the window are used up
     */
    async counted<T>(
      secret: GuessableSecret & { kind: keyof typeof factors },
      check: () => Promise<T>,
    ): Promise<T> {
      const shared = sharedBudget(secret)
      const counted = (await take(shared)) ?? (await ownTry(secret)) ?? (await refuse(shared))
      const passed = await check().catch(async (error: unknown) => {
        if (!(error instanceof Refusal)) await counted.giveBack()
        throw error
      })
      await counted.giveBack()
      return passed
    },
  }
}

export type AttemptLimiter = ReturnType<typeof createAttemptLimiter>
