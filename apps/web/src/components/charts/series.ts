/** One model, key or channel of a chart, with the colour it has in every chart of the page. */
export interface Series {
  /** Name in the data; `undefined` for the rest, added up. */
  readonly name: string | undefined
  /** CSS colour. */
  readonly color: string
}

/** Colours of the set; the last is the rest's. */
const colors = 8

/**
 * Series by rank: the largest get a colour each, everything after them is one. Rank them once per page and by one figure,
 * so that a name keeps its colour whatever is shown of it.
 */
export function rankedSeries(totals: ReadonlyMap<string, number>): readonly Series[] {
  const names = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name)
  const own = names.length <= colors ? names : names.slice(0, colors - 1)
  const series: readonly Series[] = own.map((name, rank) => ({ name, color: `var(--series-${rank + 1})` }))
  return own.length === names.length
    ? series
    : [...series, { name: undefined, color: `var(--series-${colors})` }]
}

/** Figures of one step of time (or of a whole), in the order of the series. */
export function valuesOf(series: readonly Series[], byName: ReadonlyMap<string, number>): readonly number[] {
  const named = new Set(series.map(({ name }) => name))
  let rest = 0
  for (const [name, value] of byName) if (!named.has(name)) rest += value
  return series.map(({ name }) => (name === undefined ? rest : (byName.get(name) ?? 0)))
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** One bar: a step of time with a figure for each series. */
export interface ChartStep {
  /** Unix seconds. */
  readonly at: number
  /** Under the axis. */
  readonly label: string
  /** Title in tooltips and tables. */
  readonly title: string
  readonly values: readonly number[]
}

export interface ChartData {
  readonly series: readonly Series[]
  readonly steps: readonly ChartStep[]
  /** Returns the visible name of a series. */
  readonly nameOf: (series: Series) => string
  /** A figure in words: `$0.12`, `3 calls`. */
  readonly format: (value: number) => string
}
