import type { Series } from './series.ts'

/** One bar: a step of time with a figure for each series. */
export interface ChartStep {
  /** Unix seconds. */
  readonly at: number
  /** Under the axis. */
  readonly label: string
  /** In tooltips and tables. */
  readonly title: string
  readonly values: readonly number[]
}

export interface ChartData {
  readonly series: readonly Series[]
  readonly steps: readonly ChartStep[]
  /** What a series is called on screen. */
  readonly nameOf: (series: Series) => string
  /** A figure in words: `$0.12`, `3 calls`. */
  readonly format: (value: number) => string
}
