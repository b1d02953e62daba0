import type { ChannelCondition } from '@tollgate/api'
import type { Channel } from '../../store/channels/channels.ts'
import type { HealthView } from './health-types.ts'
import { failedShare, type RecentAttempts } from './recent-attempts.ts'

/** Facts that decide a condition. */
export interface ConditionFacts {
  readonly channel: Pick<Channel, 'status' | 'keyCount' | 'keyStates'>
  readonly health: Pick<HealthView, 'state' | 'lastSuccessAt' | 'lastFailureAt' | 'errorRate' | 'coolingKeys'>
  /** Attempts of the last hour. */
  readonly recent: RecentAttempts
}

/** Shares of failed attempts from which on a channel is failing, or degraded. */
const failingShare = 0.5
const degradedShare = 0.05
/** Fewer failures than these are an accident, and nothing that an operator must look at once calls succeed again. */
const minFailures = 3

/**
 * Returns the condition of a channel, in one word.
 *
 * - `failing`: it never responded, responded to nothing in the last hour, or fails most attempts to the present
 * - `retrying`: a model or all keys are in cooldown after it responded, and single calls test it
 * - `degraded`: it responds, but some attempts fail or some keys are out
 * - `untested`: no call and no test has reached it
 */
export function channelCondition(facts: ConditionFacts): ChannelCondition {
  const { channel, health, recent } = facts
  if (channel.status !== 'enabled') return channel.status
  const hasResponded = recent.ok > 0 || health.lastSuccessAt > 0
  if (hasResponded) return conditionOfResponding(facts)
  return recent.failed > 0 || health.lastFailureAt > 0 ? 'failing' : 'untested'
}

function conditionOfResponding({ channel, health, recent }: ConditionFacts): ChannelCondition {
  const succeededLast = health.lastFailureAt === 0 || health.lastSuccessAt > health.lastFailureAt
  if (recent.ok === 0 && !succeededLast) return 'failing'
  const keysOut = countKeysOut(channel, health)
  const isCooling = health.state !== 'closed' || keysOut >= channel.keyCount
  if (isCooling) return succeededLast ? 'degraded' : 'retrying'
  const share = failedShare(recent)
  // A passing test or an edit forgets the last minute, so that what was put right is not called failing for an hour.
  const failsNow = !succeededLast || health.errorRate >= failingShare
  if (share >= failingShare && failsNow) return 'failing'
  const failsOften = recent.failed >= minFailures && share >= degradedShare
  return failsOften || keysOut > 0 || !succeededLast ? 'degraded' : 'healthy'
}

/** Keys that the gateway took out, or that are in cooldown; those of a person count as gone on purpose. */
function countKeysOut(
  { keyStates }: ConditionFacts['channel'],
  { coolingKeys }: ConditionFacts['health'],
): number {
  const disabled = keyStates.filter(({ status }) => status === 'auto-disabled').map(({ index }) => index)
  return new Set([...disabled, ...coolingKeys.keys()]).size
}
