/** Day or point in time that words name. */
export interface Moment {
  /** Unix seconds, both included; equal for a point in time. */
  readonly from: number
  readonly to: number
}

const weekdayNames: readonly RegExp[] = [
  /^sun(day)?$|^(周|星期|礼拜)[日天]$/,
  /^mon(day)?$|^(周|星期|礼拜)一$/,
  /^tue(s|sday)?$|^(周|星期|礼拜)二$/,
  /^wed(nesday)?$|^(周|星期|礼拜)三$/,
  /^thu(r|rs|rsday)?$|^(周|星期|礼拜)四$/,
  /^fri(day)?$|^(周|星期|礼拜)五$/,
  /^sat(urday)?$|^(周|星期|礼拜)六$/,
]

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const weekday =
  '(?:last )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\\b|(?:上|这|本)?(?:周|星期|礼拜)[一二三四五六日天]'
const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

/** Pattern of every text that `momentOf` understands. */
export const momentPattern = [
  '\\d{4}-\\d{1,2}-\\d{1,2}',
  '(?:\\d{4}年)?\\d{1,2}月\\d{1,2}[日号]?',
  `\\d{1,2}(?:st|nd|rd|th)? (?:${month})\\b`,
  `(?:${month}) \\d{1,2}(?:st|nd|rd|th)?\\b`,
  'today\\b|yesterday\\b|the day before yesterday\\b|midnight\\b|noon\\b',
  '今天|今日|昨天|昨日|前天',
  weekday,
  '(?:今天)?(?:上午|早上|下午|晚上)?\\d{1,2}(?::\\d{2}|点(?:\\d{1,2}分?|半)?)',
  '\\d{1,2}:\\d{2}|\\d{1,2} ?(?:am|pm)\\b',
].join('|')

/** Reads a moment as seen from `now`, by the clock of this device: weekdays and dates are the latest that have begun. */
export function momentOf(text: string, now: Date): Moment | undefined {
  const words = text.trim().toLowerCase()
  return relativeDay(words, now) ?? weekdayOf(words, now) ?? dateOf(words, now) ?? clockOf(words, now)
}

const daysBack: readonly (readonly [RegExp, number])[] = [
  [/^(today|midnight|今天|今日)$/, 0],
  [/^(yesterday|昨天|昨日)$/, 1],
  [/^(the day before yesterday|前天)$/, 2],
]

function relativeDay(words: string, now: Date): Moment | undefined {
  const back = daysBack.find(([pattern]) => pattern.test(words))?.[1]
  return back === undefined ? undefined : dayAt(now.getFullYear(), now.getMonth(), now.getDate() - back)
}

function weekdayOf(words: string, now: Date): Moment | undefined {
  const [, before, name = ''] = /^(last |上|这|本)?(.+)$/.exec(words) ?? []
  const day = weekdayNames.findIndex((pattern) => pattern.test(name))
  if (day < 0) return undefined
  const date = now.getDate() - sinceWeekday(day, now) - daysEarlier(before, now, day)
  return dayAt(now.getFullYear(), now.getMonth(), date)
}

function sinceWeekday(day: number, now: Date): number {
  return (now.getDay() - day + 7) % 7
}

/** Days before the latest such weekday: one in the week before for 上, the one before today's for "last". */
function daysEarlier(before: string | undefined, now: Date, day: number): number {
  if (before === 'last ') return sinceWeekday(day, now) === 0 ? 7 : 0
  if (before !== '上') return 0
  const today = (now.getDay() + 6) % 7
  return (day + 6) % 7 <= today ? 7 : 0
}

function dateOf(words: string, now: Date): Moment | undefined {
  const iso =
    /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words) ?? /^(\d{4})年(\d{1,2})月(\d{1,2})[日号]?$/.exec(words)
  if (iso) return dayIn(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const chinese = /^(\d{1,2})月(\d{1,2})[日号]?$/.exec(words)
  if (chinese) return latestDate(Number(chinese[1]) - 1, Number(chinese[2]), now)
  const [, first, name = '', second] =
    /^(\d{1,2})?(?:st|nd|rd|th)? ?([a-z]+) ?(\d{1,2})?(?:st|nd|rd|th)?$/.exec(words) ?? []
  const monthIndex = monthNames.indexOf(name.slice(0, 3))
  const day = first ?? second
  return monthIndex < 0 || day === undefined ? undefined : latestDate(monthIndex, Number(day), now)
}

function latestDate(monthIndex: number, day: number, now: Date): Moment | undefined {
  const thisYear = dayIn(now.getFullYear(), monthIndex, day)
  const ahead = thisYear !== undefined && thisYear.from > now.getTime() / 1000
  return ahead ? dayIn(now.getFullYear() - 1, monthIndex, day) : thisYear
}

const laterHalf = /pm$|下午|晚上/

function clockOf(words: string, now: Date): Moment | undefined {
  if (words === 'noon') return pointAt(12, 0, now)
  const found = /(\d{1,2})(?::(\d{2})|点(?:(\d{1,2})分?|(半))?)?/.exec(words)
  if (!found) return undefined
  const [, hours, minutes, chineseMinutes, half] = found
  const minute = half === undefined ? Number(minutes ?? chineseMinutes ?? 0) : 30
  const named = Number(hours)
  const hour = laterHalf.test(words) ? (named % 12) + 12 : words.endsWith('am') ? named % 12 : named
  return hour > 23 || minute > 59 ? undefined : pointAt(hour, minute, now)
}

function pointAt(hour: number, minute: number, now: Date): Moment {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour, minute).getTime() / 1000
  return { from: at, to: at }
}

/** Returns a day that the calendar has. */
function dayIn(year: number, monthIndex: number, day: number): Moment | undefined {
  const exists = new Date(year, monthIndex, day).getDate() === day && monthIndex >= 0 && monthIndex < 12
  return exists ? dayAt(year, monthIndex, day) : undefined
}

/** Days begin at midnight of this device's time zone, also where the clock changes. */
function dayAt(year: number, monthIndex: number, day: number): Moment {
  const start = (date: number) => Math.floor(new Date(year, monthIndex, date).getTime() / 1000)
  return { from: start(day), to: start(day + 1) - 1 }
}
