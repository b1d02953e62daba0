import type { Channel, StatusReason } from '../../store/channels/channels.ts'
import type { Seconds } from '../../store/units.ts'

/** A channel that takes no new calls, while those that are open on it go on. */
export interface Drain {
  readonly since: Seconds
  /** Id of the administrator who began it. */
  readonly by: number
  /** Goes on until somebody ends it, also when nothing is open any more. */
  readonly stays: boolean
}

/**
 * A drain is a reason of the status `disabled`: nodes of the version before route no calls there either, and show the text.
 * @returns `undefined` for a channel that is not draining, also where somebody has switched it on since
 */
export function drainOf({
  status,
  statusReason,
}: Pick<Channel, 'status' | 'statusReason'>): Drain | undefined {
  if (status !== 'disabled' || statusReason?.code !== code) return undefined
  const { by, stays } = statusReason.params ?? {}
  return { since: statusReason.at, by: Number(by ?? 0), stays: stays === 1 }
}

/** Returns the change that begins a drain. */
export function drainChange({ since, by, stays }: Drain) {
  const statusReason: StatusReason = { reason, at: since, code, params: { by, stays: stays ? 1 : 0 } }
  return { status: 'disabled', statusReason } as const
}

/** Returns the change that ends the drain of a channel, which has its new status from elsewhere; none without a drain. */
export function endOfDrain(channel: Pick<Channel, 'status' | 'statusReason'>): {
  readonly statusReason?: null
} {
  return drainOf(channel) === undefined ? {} : { statusReason: null }
}

const code = 'draining'
const reason = 'draining: new calls go to other channels, open ones go on'
