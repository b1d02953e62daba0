/** The same time of day on another day; midnight when there was no time yet. */
export function onDay(chosen: Date, seconds: number | undefined): number {
  const time = seconds === undefined ? undefined : new Date(seconds * 1000)
  const moved = new Date(chosen.getFullYear(), chosen.getMonth(), chosen.getDate())
  if (time) moved.setHours(time.getHours(), time.getMinutes(), time.getSeconds())
  return Math.floor(moved.getTime() / 1000)
}

/** Returns the times from the first second of one day to the last of another, in Unix seconds. */
export function fullDays(from: Date, to: Date): { readonly from: number; readonly to: number } {
  const last = new Date(to.getFullYear(), to.getMonth(), to.getDate(), 23, 59, 59)
  return { from: onDay(from, undefined), to: Math.floor(last.getTime() / 1000) }
}

export function dateOf(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000)
}

export interface DayCalendarProps {
  /** Unix seconds. */
  readonly value: number | undefined
  /** No day before it can be chosen. */
  readonly min?: number | undefined
  readonly onChoose: (day: Date) => void
}

export interface RangeCalendarProps {
  /** Unix seconds. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Both ends are the same day until a second one is chosen. */
  readonly onChoose: (from: Date, to: Date) => void
}
