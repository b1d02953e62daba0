import type { Call } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../../lib/logger.ts'
import { createSlidingWindow } from '../../../lib/sliding-window.ts'
import type { RequestContext } from '../request-context.ts'
import { warningOf } from './unknown-members.ts'

/** Warnings of a call, before the names. */
const warnings = {
  fields: 'fields that are not known here',
  parameters: 'parameters that are not known here',
  unchanged: 'fields that this call does not change',
  groups: 'groups that GroupRatio does not have',
} as const

/** Hears of names that a call does not act on; of none, too. */
export type Ignored = (about: keyof typeof warnings, names: readonly string[]) => void

export type IgnoredReports = (call: Call, context: RequestContext) => Ignored

/** Lines of the log: programs repeat what they send, so each line is written once in a minute. */
const linesPerMinute = 200

/** Names what a call does not act on in `X-Tollgate-Warning`, and in the log: never a value. */
export function createIgnoredReports(logger: Pick<Logger, 'warn'>, clock: Clock): IgnoredReports {
  const same = createSlidingWindow({ limit: 1, windowSeconds: 60, clock })
  const all = createSlidingWindow({ limit: linesPerMinute, windowSeconds: 60, clock })
  return ({ method, path }, { requestId, responseHeaders }) =>
    (about, names) => {
      if (names.length === 0) return
      const warning = warningOf(warnings[about], names)
      const former = responseHeaders.get('x-tollgate-warning')
      responseHeaders.set('x-tollgate-warning', former === null ? warning : `${former}; ${warning}`)
      if (same.take(`${method} ${path} ${warning}`) && all.take('all'))
        logger.warn({ requestId, method, path }, warning)
    }
}
