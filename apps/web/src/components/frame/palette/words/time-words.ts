import type { TimeRange, Times } from '../../../../lib/format/time-range.ts'
import { type Moment, momentOf, momentPattern } from './moments.ts'

interface Taken {
  readonly times: Times | undefined
  /** The text with a bar where its time was. */
  readonly rest: string
}

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  few: 3,
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  几: 3,
  半: 0.5,
}
const amount = '(\\d+|an?|one|two|three|few|[一两二三几半])?'
const unitSeconds: readonly (readonly [RegExp, number])[] = [
  [/^(min|分)/i, 60],
  [/^(h|个?小时|个?钟头)/i, 3600],
  [/^(d|天|日)/i, 86_400],
  [/^(w|周|个?星期)/i, 7 * 86_400],
  [/^(month|个?月)/i, 30 * 86_400],
]
/** Ranges with a name, by their seconds. */
const namedSpans: Readonly<Record<number, TimeRange>> = {
  900: '15m',
  3600: '1h',
  86400: '24h',
  604800: '7d',
  2592000: '30d',
}

const ranges: readonly (readonly [RegExp, TimeRange])[] = [
  [/(?:(?:of|in|from|since|during) )?\bthis week\b|自?[本这]周(?![一二三四五六日天])(?:以来)?/i, 'week'],
  [/(?:(?:of|in|from|during) )?\blast week\b|上(?:个)?(?:周|星期)(?![一二三四五六日天])/i, 'last-week'],
  [/(?:(?:of|in|from|since|during) )?\bthis month\b|自?(?:本月|这个月)(?:以来)?/i, 'month'],
  [/(?:(?:of|in|from|during) )?\blast month\b|上个?月/i, 'last-month'],
  [/\b(?:ever|of all time|at any time)\b|全部时间|有史以来/i, 'all'],
]

const at = `(${momentPattern})`
const between = new RegExp(
  `\\b(?:between|from) ${at} (?:and|to|until|till) ${at}|(?:从|自|在)?${at} ?(?:到|至|-|~|和) ?${at}(?:之间|期间|为止)?`,
  'i',
)
const since = new RegExp(
  `\\b(?:since|after|from|starting) ${at}|(?:从|自从?)?${at} ?(?:以来|至今|起|开始|之?后|以后)|(?:从|自从?)${at}`,
  'i',
)
const until = new RegExp(`\\b(?:until|till|before|up to) ${at}|${at} ?(?:之前|以前|为止|前)`, 'i')
const on = new RegExp(`(?:\\b(?:on|of|from|at|for) )?${at}`, 'i')
const spans = new RegExp(
  `(?:(?:in|of|during|over|within|from) )?(?:the )?\\b(?:last|past) ${amount} ?(minutes?|mins?|hours?|days?|weeks?|months?)\\b|(?:最近|过去|近)的? ?${amount} ?(分钟|个?小时|个?钟头|天|日|个?星期|周|个月)(?:内|以来|里)?`,
  'i',
)

/** Takes the stretch of time out of a text: a named one, or one between two moments of the clock of this device. */
export function takeTimes(text: string, now: Date): Taken {
  for (const read of [readRange, readBetween, readSpan, readSince, readUntil, readOn]) {
    const found = read(text, now)
    if (found) return { times: found.times, rest: text.replace(found.match, '|') }
  }
  return { times: undefined, rest: text }
}

type Found = { readonly times: Times; readonly match: string } | undefined

function readRange(text: string): Found {
  for (const [pattern, range] of ranges) {
    const found = pattern.exec(text)
    if (found) return { times: { range }, match: found[0] }
  }
  return undefined
}

function readSpan(text: string, now: Date): Found {
  const found = spans.exec(text)
  if (!found) return undefined
  const [match, english, englishUnit, chinese, chineseUnit] = found
  const unit = englishUnit ?? chineseUnit ?? ''
  const count = countOf(english ?? chinese)
  const seconds = Math.round(count * (unitSeconds.find(([pattern]) => pattern.test(unit))?.[1] ?? 0))
  const range = namedSpans[seconds]
  return { times: range ? { range } : { from: Math.floor(now.getTime() / 1000) - seconds }, match }
}

function countOf(text: string | undefined): number {
  return text === undefined ? 1 : (numbers[text.toLowerCase()] ?? Number(text))
}

/** Reads the moments that a pattern has found; patterns have the same groups in both languages. */
function momentsIn(
  pattern: RegExp,
  text: string,
  now: Date,
): { readonly match: string; readonly moments: readonly Moment[] } | undefined {
  const found = pattern.exec(text)
  if (!found) return undefined
  const [match, ...groups] = found
  const moments = groups.filter((group) => group !== undefined).map((group) => momentOf(group, now))
  if (moments.some((moment) => moment === undefined)) return undefined
  return { match, moments: moments.filter((moment) => moment !== undefined) }
}

function readBetween(text: string, now: Date): Found {
  const found = momentsIn(between, text, now)
  const [first, last] = found?.moments ?? []
  if (!found || !first || !last) return undefined
  const [from, to] = first.from <= last.from ? [first.from, last.to] : [last.from, first.to]
  return { times: { from, to }, match: found.match }
}

function readSince(text: string, now: Date): Found {
  const found = momentsIn(since, text, now)
  const [moment] = found?.moments ?? []
  return found && moment && { times: { from: moment.from }, match: found.match }
}

function readUntil(text: string, now: Date): Found {
  const found = momentsIn(until, text, now)
  const [moment] = found?.moments ?? []
  return found && moment && { times: { to: moment.from - 1 }, match: found.match }
}

function readOn(text: string, now: Date): Found {
  const found = momentsIn(on, text, now)
  const [moment] = found?.moments ?? []
  // A point in time is no stretch of it.
  if (!found || !moment || moment.from === moment.to) return undefined
  const range = rangeOfDay(moment, now)
  return { times: range ? { range } : moment, match: found.match }
}

function rangeOfDay({ from }: Moment, now: Date): TimeRange | undefined {
  if (from === momentOf('today', now)?.from) return 'today'
  return from === momentOf('yesterday', now)?.from ? 'yesterday' : undefined
}
