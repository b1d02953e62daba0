import type { Language } from '@tollgate/api'
import { languageOf } from '../../lib/language.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { Limit, LimitDecision } from './limits.ts'
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
