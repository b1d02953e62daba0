import type { Limit } from './limits.ts'
import type { ChannelLimits } from './rate-limits.ts'

/** Reports each refusal of a limit. */
export function countLimitRefusals(limit: Limit, refused: () => void): Limit {
  return { acquire: (call) => reported(limit.acquire(call), refused) }
}

/** The same of the limits of channels. */
export function countChannelRefusals(limits: ChannelLimits, refused: () => void): ChannelLimits {
  return { acquire: (channel, call) => reported(limits.acquire(channel, call), refused) }
}

type Decision = { readonly granted: boolean } | undefined

function reported<Decided extends Decision>(
  deciding: Decided | Promise<Decided>,
  refused: () => void,
): Decided | Promise<Decided> {
  const look = (decision: Decided): Decided => {
    if (decision?.granted === false) refused()
    return decision
  }
  return deciding instanceof Promise ? deciding.then(look) : look(deciding)
}
