/** Facts that browsers have about a region's week; older ones have it as a property, the oldest not at all. */
interface RegionalWeek {
  readonly getWeekInfo?: () => { readonly firstDay: number }
  readonly weekInfo?: { readonly firstDay: number }
}

/**
 * The day that weeks begin with, by the region of the browser's language: 0 for Sunday to 6 for Saturday. Monday where the browser
 * does not know.
 * @param locale of the browser by default
 */
export function firstDayOfWeek(locale: string = navigator.language): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  const region = localeOf(locale) as Intl.Locale & RegionalWeek
  const { firstDay } = region.getWeekInfo?.() ?? region.weekInfo ?? { firstDay: 1 }
  return (firstDay % 7) as ReturnType<typeof firstDayOfWeek>
}

function localeOf(name: string): Intl.Locale {
  try {
    return new Intl.Locale(name)
  } catch {
    return new Intl.Locale('und')
  }
}
