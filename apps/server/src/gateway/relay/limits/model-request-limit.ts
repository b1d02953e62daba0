import type { Language } from '@tollgate/api'
import { languageOf } from '../../../lib/language.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Demand, LimitCounts } from './limit-counts.ts'
import type { Limit, LimitDecision } from './limits.ts'

/**
 * The operator's limit on model requests, per user: so many in a period, failed ones counted, and so many that succeeded.
 * A call that is refused counts for neither.
 */
export function createModelRequestLimit(settings: SettingsReader, counts: LimitCounts): Limit {
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
      const bound = { measure: 'requests', amount: 1, windowSeconds } as const
      const { id } = call.caller.user
      return acquire(
        languageOf(call.headers),
        { ...bound, subject: `success ${id}`, limit: succeeded },
        total > 0 ? { ...bound, subject: `total ${id}`, limit: total } : undefined,
        counts,
      )
    },
  }
}

/** @param total `undefined` for no limit */
async function acquire(
  language: Language,
  succeeded: Demand,
  total: Demand | undefined,
  counts: LimitCounts,
): Promise<LimitDecision> {
  const waiting = await counts.secondsUntil(succeeded)
  if (waiting > 0) return refused(language, 'succeeded', succeeded, waiting)
  const verdict = total && (await counts.take([total]))
  if (verdict?.granted === false) return refused(language, 'total', verdict.demand, verdict.retryAfterSeconds)
  return {
    granted: true,
    release(outcome) {
      if (outcome.succeeded) counts.add(succeeded)
      if (verdict?.granted) counts.settle(verdict.taken, { tokens: 0, refused: outcome.refused ?? false })
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
  { limit, windowSeconds = 60 }: Demand,
  retryAfterSeconds: number,
): LimitDecision {
  const message = texts[language][what](limit, windowSeconds / 60, retryAfterSeconds)
  return { granted: false, message, retryAfterSeconds }
}
