/** One measured figure beside its bar. Bars are ratios or sizes; a bench never fails a build. */
export interface Figure {
  readonly what: string
  readonly measured: string
  readonly bar: string
  readonly holds: boolean
}

export function atLeast(what: string, value: number, bar: number, detail: string): Figure {
  return { what, measured: `${value.toFixed(2)} (${detail})`, bar: `≥ ${bar}`, holds: value >= bar }
}

export function atMost(what: string, value: number, bar: number, unit: string, detail = ''): Figure {
  const measured = `${value < 10 ? value.toFixed(2) : Math.round(value)}${unit}${detail === '' ? '' : ` (${detail})`}`
  return { what, measured, bar: `≤ ${bar}${unit}`, holds: value <= bar }
}

/** A Markdown table, in the form of docs/performance.md. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ what, measured, bar, holds }) => `| ${what} | ${measured} | ${bar} | ${holds ? 'yes' : 'no'} |`,
  )
  return ['| What | Measured | Bar | Holds |', '|---|---|---|---|', ...rows].join('\n')
}
