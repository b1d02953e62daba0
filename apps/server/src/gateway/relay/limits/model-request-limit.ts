import type { Language } from '@tollgate/api'
import { languageOf } from '../../../lib/language.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { type Demand, eachOf, type LimitCounts, type Verdict } from './limit-counts.ts'
import type { Limit, LimitDecision } from './limits.ts'

/**
 * The operator's limit on model requests, per user: so many in a period, failed ones counted, and so many that succeeded. A call counts for
 * both from its start, or calls at once would pass any limit; one that fails gives its place among the successful ones back. A call that is
 * refused counts for neither.
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
      const demands: Demand[] = [{ ...bound, subject: `success ${id}`, limit: succeeded }]
      if (total > 0) demands.push({ ...bound, subject: `total ${id}`, limit: total })
      const language = languageOf(call.headers)
      const verdict = counts.take(demands)
      return verdict instanceof Promise
        ? verdict.then((taken) => decisionOf(taken, language, counts))
        : decisionOf(verdict, language, counts)
    },
  }
}

function decisionOf(verdict: Verdict, language: Language, counts: LimitCounts): LimitDecision {
  if (!verdict.granted) return refusal(language, verdict.demand, verdict.retryAfterSeconds)
  const [ofSucceeded, ofAll] = eachOf(verdict.taken)
  return {
    granted: true,
    release({ succeeded, refused = false }) {
      if (ofSucceeded !== undefined) counts.settle(ofSucceeded, { tokens: 0, refused: !succeeded })
      if (ofAll !== undefined) counts.settle(ofAll, { tokens: 0, refused })
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

function refusal(
  language: Language,
  { subject, limit, windowSeconds = 60 }: Demand,
  retryAfterSeconds: number,
): LimitDecision {
  const name = subject.startsWith('total') ? 'total' : 'succeeded'
  const message = texts[language][name](limit, windowSeconds / 60, retryAfterSeconds)
  return { granted: false, message, retryAfterSeconds }
}
