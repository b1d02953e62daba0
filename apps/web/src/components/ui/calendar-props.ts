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
