import type { Call } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../../lib/logger.ts'
import { createSlidingWindow } from '../../../lib/sliding-window.ts'
import type { Ignored } from '../read-arguments.ts'
import type { RequestContext } from '../request-context.ts'
import { warningOf } from './unknown-members.ts'

export type IgnoredReports = (call: Call, context: RequestContext) => Ignored

/** Lines of the log: programs repeat what they send. */
const linesPerMinute = 10

/** Names what a call does not read in `X-Tollgate-Warning`, and in the log by name: never by value. */
export function createIgnoredReports(logger: Pick<Logger, 'warn'>, clock: Clock): IgnoredReports {
  const lines = createSlidingWindow({ limit: linesPerMinute, windowSeconds: 60, clock })
  return ({ method, path }, { requestId, responseHeaders }) =>
    (kind, names) => {
      if (names.length === 0) return
      const warning = warningOf(`${kind} that are not known here`, names)
      const former = responseHeaders.get('x-tollgate-warning')
      responseHeaders.set('x-tollgate-warning', former === null ? warning : `${former}; ${warning}`)
      if (lines.take('all')) logger.warn({ requestId, method, path }, warning)
    }
}
