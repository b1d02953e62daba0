/** Unit, its length, and the distance from which it is used, in seconds: "36 hours" says more than "1 day". */
const units = [
  ['year', 31_536_000, 63_072_000],
  ['month', 2_592_000, 5_184_000],
  ['day', 86_400, 172_800],
  ['hour', 3600, 7200],
  ['minute', 60, 60],
  ['second', 1, 1],
] as const

const formats = new Map<string, Intl.RelativeTimeFormat>()

/** Kept, because making one takes longer than using it a hundred times. */
function formatOf(language: string, options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat {
  const key = `${language} ${options.numeric} ${options.style}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.RelativeTimeFormat(language, options)
  formats.set(key, made)
  return made
}

/**
 * Distance between two moments in words: "in 30 days", "5 min. ago", "now".
 * @param style `long` spells units out, for sentences
 */
export function relativeTime(
  atSeconds: number,
  nowSeconds: number,
  language: string,
  style: 'short' | 'long' = 'short',
): string {
  const distance = atSeconds - nowSeconds
  const unit = units.find(([, , from]) => Math.abs(distance) >= from)
  if (!unit) return formatOf(language, { numeric: 'auto' }).format(0, 'second')
  const [name, seconds] = unit
  const text = formatOf(language, { style }).format(Math.round(distance / seconds), name)
  // The platform writes "3天后"; the console puts a space between digits and Chinese.
  return text.replace(/(\d)(\p{Script=Han})/u, '$1 $2')
}
