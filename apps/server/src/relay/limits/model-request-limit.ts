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
      const [total, succeeded] = current.ModelRequestRateLimitGroup[call.caller.group] ?? [
        current.ModelRequestRateLimitCount,
        current.ModelRequestRateLimitSuccessCount,
      ]
      const bounds = {
        succeeded: { limit: succeeded, windowSeconds },
        total: { limit: total, windowSeconds },
      }
      return acquire(call, bounds, windows)
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
  if (waiting > 0) return refused('succeeded', bounds.succeeded, waiting)
  if (bounds.total.limit > 0) {
    const waitingTotal = await windows.take(`total ${id}`, bounds.total)
    if (waitingTotal > 0) return refused('total', bounds.total, waitingTotal)
  }
  return {
    granted: true,
    over({ succeeded, refused = false }) {
      if (succeeded) void windows.take(successKey, bounds.succeeded)
      if (refused && bounds.total.limit > 0) windows.giveBack(`total ${id}`, bounds.total)
    },
  }
}

/** In both languages: the people who call are often not those who read the console. */
const texts = {
  total: (limit: number, minutes: number) =>
    `You have reached the limit of all requests: at most ${limit} in ${minutes} minutes, failed ones included; check that your requests are right. 您已达到总请求数限制：${minutes}分钟内最多请求${limit}次，包括失败次数，请检查您的请求是否正确`,
  succeeded: (limit: number, minutes: number) =>
    `You have reached the limit of requests: at most ${limit} successful ones in ${minutes} minutes. 您已达到请求数限制：${minutes}分钟内最多请求${limit}次`,
} as const

function refused(
  what: keyof typeof texts,
  { limit, windowSeconds }: WindowBound,
  retryAfterSeconds: number,
): Permission {
  const text = texts[what](limit, windowSeconds / 60)
  return { granted: false, message: `${text} (retry in ${retryAfterSeconds} s)`, retryAfterSeconds }
}
