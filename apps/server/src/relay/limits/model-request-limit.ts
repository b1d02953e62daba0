import type { SettingsReader } from '../../settings/settings.ts'
import type { AskedModel, RelayCall } from '../call.ts'
import type { Limit, Permission } from './limits.ts'
import type { WindowBound, WindowStore } from './request-window.ts'

/**
 * The operator's limit on model requests, per user: so many in a period, failed ones counted, and so many that succeeded.
 * A call that is refused counts for neither.
 */
export function createModelRequestLimit(settings: SettingsReader, windows: WindowStore): Limit {
  return {
    acquire(call) {
      const { current } = settings
      const minutes = current.ModelRequestRateLimitDurationMinutes
      if (!current.ModelRequestRateLimitEnabled || minutes === 0) return undefined
      const windowSeconds = minutes * 60
      const succeeded = { limit: current.ModelRequestRateLimitSuccessCount, windowSeconds }
      const total = { limit: current.ModelRequestRateLimitCount, windowSeconds }
      return acquire(call, { succeeded, total }, windows)
    },
  }
}

interface Bounds {
  readonly succeeded: WindowBound
  /** A limit of 0 is none. */
  readonly total: WindowBound
}

async function acquire(
  call: RelayCall<AskedModel>,
  bounds: Bounds,
  windows: WindowStore,
): Promise<Permission> {
  const { id } = call.caller.user
  const successKey = `success ${id}`
  const waiting = await windows.check(successKey, bounds.succeeded)
  if (waiting > 0) return refused('that succeeded', bounds.succeeded, waiting)
  if (bounds.total.limit > 0) {
    const waitingTotal = await windows.take(`total ${id}`, bounds.total)
    if (waitingTotal > 0) return refused('in all', bounds.total, waitingTotal)
  }
  return {
    granted: true,
    over({ succeeded }) {
      if (succeeded) void windows.take(successKey, bounds.succeeded)
    },
  }
}

function refused(what: string, { limit, windowSeconds }: WindowBound, retryAfterSeconds: number): Permission {
  const minutes = windowSeconds / 60
  return {
    granted: false,
    message: `You have made the ${limit} requests ${what} that are allowed in ${minutes} minutes. Try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  }
}
