import type { ChannelReason } from '@tollgate/api'
import type { ChannelHealth } from './channel-health.ts'
import type { Cooldown } from './cooldown.ts'
import type { CooldownTarget } from './health-hint.ts'
import type { CooldownView, HealthView } from './health-types.ts'
import { type LastOutcome, neverTried } from './last-outcomes.ts'

/** A channel without recorded attempts. */
export const healthyView: HealthView = {
  state: 'closed',
  errorRate: 0,
  reason: undefined,
  retryAt: 0,
  recentMs: [],
  ...neverTried,
  coolingKeys: new Map(),
}

/** Now by both clocks: cooldowns run by the monotonic one, people read the wall clock. */
export interface ViewTime {
  readonly monotonicMs: number
  readonly wallMs: number
}

/** The channel as an operator sees it: the worst of its models, and which keys are in cooldown. */
export function viewOf(health: ChannelHealth, last: LastOutcome, time: ViewTime): HealthView {
  const now = time.monotonicMs
  let worst: Pick<HealthView, 'state' | 'reason' | 'retryAt'> = healthyView
  const coolingKeys = new Map<number, CooldownView>()
  for (const { target, cooldown } of health.cooldowns) {
    const view = cooldownView(target, cooldown, time)
    if (view === undefined) continue
    if (target.keyIndex !== undefined) keepLatest(coolingKeys, target.keyIndex, view)
    else if (severity[cooldown.state(now)] > severity[worst.state])
      worst = { state: cooldown.state(now), ...view }
  }
  const { state, reason, retryAt } = worst
  const errorRate = errorRateOf(health, now)
  return { ...last, state, reason, retryAt, errorRate, recentMs: health.latency.means(now), coolingKeys }
}

const severity = { closed: 0, 'half-open': 1, open: 2 } as const satisfies Record<HealthView['state'], number>

function cooldownView(
  { model }: CooldownTarget,
  { endsAt, reason }: Cooldown,
  { monotonicMs, wallMs }: ViewTime,
): CooldownView | undefined {
  if (endsAt === undefined) return undefined
  const retryAt = Math.round(wallMs + endsAt - monotonicMs)
  return { reason: about(model, reason), retryAt }
}

function about(model: string | undefined, reason: ChannelReason | undefined): ChannelReason | undefined {
  if (model === undefined || reason === undefined) return reason
  return { code: reason.code, params: { ...reason.params, model } }
}

/** Stores the view of a key's cooldown (its own, or for a single model) that ends last. */
function keepLatest(views: Map<number, CooldownView>, keyIndex: number, view: CooldownView): void {
  const known = views.get(keyIndex)
  if (known === undefined || known.retryAt < view.retryAt) views.set(keyIndex, view)
}

function errorRateOf(health: ChannelHealth, now: number): number {
  let attempts = 0
  let failures = 0
  for (const window of health.windows) {
    const counts = window.counts(now)
    attempts += counts.attempts
    failures += counts.failures
  }
  return attempts === 0 ? 0 : failures / attempts
}
