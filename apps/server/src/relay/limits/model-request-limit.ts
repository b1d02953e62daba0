import type { Language } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import { languageOf } from '../../lib/language.ts'
import { createSlidingWindow, type SlidingWindow } from '../../lib/sliding-window.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { Limit, LimitDecision } from './limits.ts'

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
  /** 0 for no limit. */
  readonly total: WindowBound
}

async function acquire(
  call: RelayCall<ModelRequest>,
  bounds: Bounds,
  windows: WindowStore,
): Promise<LimitDecision> {
  const { id } = call.caller.user
  const language = languageOf(call.headers)
  const successKey = `success ${id}`
  const waiting = await windows.check(successKey, bounds.succeeded)
  if (waiting > 0) return refused(language, 'succeeded', bounds.succeeded, waiting)
  if (bounds.total.limit > 0) {
    const waitingTotal = await windows.take(`total ${id}`, bounds.total)
    if (waitingTotal > 0) return refused(language, 'total', bounds.total, waitingTotal)
  }
  return {
    granted: true,
    release({ succeeded, refused = false }) {
      if (succeeded) void windows.take(successKey, bounds.succeeded)
      if (refused && bounds.total.limit > 0) windows.giveBack(`total ${id}`, bounds.total)
    },
  }
}

type Text = (limit: number, minutes: number, retryAfterSeconds: number) => string

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

const texts: Readonly<Record<Language, Readonly<Record<'total' | 'succeeded', Text>>>> = {
  en: {
    total: (limit, minutes, seconds) =>
      `You have reached the limit of all requests: at most ${limit} in ${counted(minutes, 'minute')}, failed ones included. Check that your requests are right, and try again in ${counted(seconds, 'second')}.`,
    succeeded: (limit, minutes, seconds) =>
      `You have reached the limit of requests: at most ${limit} successful ones in ${counted(minutes, 'minute')}. Try again in ${counted(seconds, 'second')}.`,
  },
  zh: {
    total: (limit, minutes, seconds) =>
      `您已达到总请求数限制：${minutes}分钟内最多请求${limit}次，包括失败次数，请检查您的请求是否正确，并在${seconds}秒后重试`,
    succeeded: (limit, minutes, seconds) =>
      `您已达到请求数限制：${minutes}分钟内最多请求${limit}次，请在${seconds}秒后重试`,
  },
}

function refused(
  language: Language,
  what: 'total' | 'succeeded',
  { limit, windowSeconds }: WindowBound,
  retryAfterSeconds: number,
): LimitDecision {
  const message = texts[language][what](limit, windowSeconds / 60, retryAfterSeconds)
  return { granted: false, message, retryAfterSeconds }
}

/** Counts requests in sliding windows, under keys. Nodes that share a store share the counts. */
interface WindowStore {
  /**
   * Takes one of `limit` under `key` within a window.
   * @returns the seconds until one is free again; 0 when it was taken
   */
  take(key: string, bound: WindowBound): number | Promise<number>
  /** As `take`, but takes none. */
  check(key: string, bound: WindowBound): number | Promise<number>
  /** Takes one back that turned out not to count. */
  giveBack(key: string, bound: WindowBound): void
}

interface WindowBound {
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts of one process. */
export function createMemoryWindows(clock: Clock): WindowStore {
  /** By bound: an operator who changes a limit starts it anew. */
  const windows = new Map<string, SlidingWindow>()

  function windowOf({ limit, windowSeconds }: WindowBound): SlidingWindow {
    const place = `${limit}/${windowSeconds}`
    const known = windows.get(place)
    if (known !== undefined) return known
    if (windows.size === keptBounds) windows.clear()
    const made = createSlidingWindow({ limit, windowSeconds, clock })
    windows.set(place, made)
    return made
  }

  return {
    take(key, bound) {
      const window = windowOf(bound)
      return window.take(key) ? 0 : window.retryAfterSeconds(key)
    },
    check(key, bound) {
      const window = windowOf(bound)
      return window.isSpent(key) ? window.retryAfterSeconds(key) : 0
    },
    giveBack: (key, bound) => windowOf(bound).giveBack(key),
  }
}

const keptBounds = 64
