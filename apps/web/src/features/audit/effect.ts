import type { AuditRecordRow, AuditTargetKind, LogHistogram } from '@tollgate/api'

/** Shares of calls that failed, 0 to 1, before and after a moment. */
export interface Effect {
  readonly before: number
  readonly after: number
  /** Seconds that each of them covers. */
  readonly seconds: number
}

const hour = 3600
/** A chart whose steps are longer counts so many of them. */
const minSteps = 2
/** A share of fewer calls is chance. */
const minCalls = 5

/** Returns the shares of calls that failed before and after; `undefined` where the chart has too few calls on either side. */
export function effectAt({ steps, step_seconds }: LogHistogram, at: number): Effect | undefined {
  const seconds = Math.max(hour, minSteps * step_seconds)
  const shareIn = (from: number, to: number) => {
    const those = steps.filter(
      (step) => step.at + step_seconds / 2 >= from && step.at + step_seconds / 2 < to,
    )
    const errors = those.reduce((sum, step) => sum + step.errors, 0)
    const all = those.reduce((sum, step) => sum + step.calls, errors)
    return all < minCalls ? undefined : errors / all
  }
  const [before, after] = [shareIn(at - seconds, at), shareIn(at, at + seconds)]
  return before === undefined || after === undefined ? undefined : { before, after, seconds }
}

/** Points of a share that are more than chance. */
const noticeable = 0.05

/** Decides whether more, fewer or as many calls failed after a moment. */
export function trendOf({ before, after }: Effect): 'rose' | 'fell' | 'same' {
  if (Math.abs(after - before) < noticeable) return 'same'
  return after > before ? 'rose' : 'fell'
}

/** Whether calls can end otherwise because of what was done to it: channels, prices, routing, limits and versions. */
const reachesCalls: Readonly<Record<AuditTargetKind, boolean>> = {
  channel: true,
  tag: true,
  model: true,
  option: true,
  group: true,
  gateway: true,
  user: false,
  invitation: false,
  redemption: false,
  token: false,
  'top-up-order': false,
  log: false,
  correction: false,
  incident: false,
  'status-incident': false,
}

/** What is done to such a thing without a change of it. */
const looksOnly: readonly string[] = [
  'channel.test',
  'channel.test-all',
  'channel.cancel-test-all',
  'channel.update-balance',
  'channel.update-all-balances',
  'channel.cancel-update-all-balances',
  'channel.reveal-keys',
  'channel.schedule',
  'channel.cancel-schedule',
  'gateway.export',
]

/** Options by their names that decide on prices, routing and limits. */
const decidesOnCalls =
  /ratio|price|cost|retry|limit|channel|group|model|sensitive|outbound|consumed|overload/i

/** Whether a record's change can have had an effect on calls. */
export function mayHaveEffect({ action, target_kind, target_name }: AuditRecordRow): boolean {
  const kind = Object.entries(reachesCalls).find(([name]) => name === target_kind)
  if (kind?.[1] !== true || looksOnly.includes(action)) return false
  return target_kind !== 'option' || decidesOnCalls.test(target_name)
}
