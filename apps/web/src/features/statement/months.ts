/** The last months of the clock of this device, newest first, as `2026-11`. */
export function lastMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(now.getFullYear(), now.getMonth() - back, 1)
    return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}`
  })
}

/** The name of a month, such as "November 2026". */
export function monthName(month: string, language: string): string {
  const [year = 1970, index = 1] = month.split('-').map(Number)
  const format = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long' })
  return format.format(new Date(year, index - 1, 1))
}
