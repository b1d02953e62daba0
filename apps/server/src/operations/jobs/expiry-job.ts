import { keyHistoryDays } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { AccessTokens } from '../../accounts/users/login/access-tokens.ts'
import type { Sessions } from '../../accounts/users/login/sessions.ts'
import type { Store } from '../../store/store.ts'
import type { Job } from './scheduler.ts'

const hourMs = 3_600_000
/** An order that is paid later than this is still credited. */
const daySeconds = 24 * 3600
const orderSeconds = 2 * daySeconds
/** A year and a month: an incident may be found late. */
const securityEventSeconds = 396 * daySeconds

interface Dependencies {
  readonly sessions: Pick<Sessions, 'deleteExpired'>
  readonly accessTokens: Pick<AccessTokens, 'deleteExpired'>
  readonly securityEvents: Pick<Store['securityEvents'], 'deleteBefore'>
  readonly tokenAddresses: Pick<Store['tokenAddresses'], 'deleteBefore'>
  readonly oneTimeSecrets: Pick<Store['oneTimeSecrets'], 'deleteExpired'>
  readonly topUpOrders: Pick<Store['topUpOrders'], 'expirePending'>
  readonly chargeLinks: Pick<Store['chargeLinks'], 'deleteEnded'>
  readonly clock: Clock
}

/** Expired rows are refused at once; this only keeps their tables small, and marks unpaid orders as expired. */
export function expiryJob(deps: Dependencies): Job {
  const { sessions, accessTokens, securityEvents, tokenAddresses, oneTimeSecrets } = deps
  const { topUpOrders, chargeLinks, clock } = deps
  return {
    name: 'delete-expired',
    scope: 'fleet',
    everyMs: hourMs,
    async run() {
      await sessions.deleteExpired()
      await accessTokens.deleteExpired()
      const now = unixSeconds(clock)
      await oneTimeSecrets.deleteExpired(now)
      await securityEvents.deleteBefore(now - securityEventSeconds)
      await tokenAddresses.deleteBefore(now - keyHistoryDays * daySeconds)
      await topUpOrders.expirePending(now - orderSeconds, now)
      await chargeLinks.deleteEnded(now)
    },
  }
}
