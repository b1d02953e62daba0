import { type Bar, isMet } from './bars.ts'

const heading = `# Size of the code base

\`npm run stats -- --write\` writes this page, in round figures: one that is off by less than a tenth stays, so that a day's work leaves the
page alone, and \`npm run check\` fails for one that is off by more. \`npm run stats\` prints them as they are. Test suites, test-support,
contract suites and fixtures are no source, and neither is the bench. A named function is a declaration, a method, or a function that a
variable or property holds.

Each module has limits of its own, which only fall: [limits.json](../scripts/stats/limits.json), explained in
[scripts/stats](../scripts/stats/README.md).
`

/** Writes the page of the documentation. Figures of the former page that are still true stay. */
export function pageOf(bars: readonly Bar[], former = ''): string {
  const known = figuresIn(former)
  const rows = bars.map((bar) => {
    const figure = known.get(bar.name)
    const value = figure !== undefined && isNear(figure, bar.value) ? figure : roundFigure(bar.value)
    return `| ${bar.name.padEnd(41)} | ${numberText(value, bar).padStart(8)} | ${boundOf(bar).padEnd(8)} |`
  })
  const head = `| ${'measure'.padEnd(41)} | ${'about'.padStart(8)} | ${'bound'.padEnd(8)} |`
  return `${heading}\n${[head, `|${'-'.repeat(43)}|${'-'.repeat(9)}:|${'-'.repeat(10)}|`, ...rows].join('\n')}\n`
}

/** Writes the measures as they are, for a person. */
export function tableOf(bars: readonly Bar[]): string {
  const head = `| ${'measure'.padEnd(41)} | ${'value'.padStart(8)} | ${'bound'.padEnd(8)} | ${''.padEnd(6)} |`
  const rows = bars.map((bar) => {
    const bound = boundOf(bar)
    const mark = bound === '' ? '' : isMet(bar) ? 'met' : 'missed'
    return `| ${bar.name.padEnd(41)} | ${numberText(bar.value, bar).padStart(8)} | ${bound.padEnd(8)} | ${mark.padEnd(6)} |`
  })
  return [head, `|${'-'.repeat(43)}|${'-'.repeat(9)}:|${'-'.repeat(10)}|${'-'.repeat(8)}|`, ...rows].join(
    '\n',
  )
}

/** The figures of a page by their measure. */
function figuresIn(page: string): ReadonlyMap<string, number> {
  return new Map(
    [...page.matchAll(/^\| (\S.*?) +\| +([\d,.]+)%? \|/gm)].map(([, name = '', figure = '']) => [
      name,
      Number(figure.replaceAll(',', '')),
    ]),
  )
}

function isNear(figure: number, value: number): boolean {
  return Math.abs(figure - value) <= Math.max(value * 0.1, Number.isInteger(value) ? 2 : 0)
}

/** Rounds to two digits; what is below a hundred is round as it is. */
function roundFigure(value: number): number {
  return value < 100 ? value : Number(value.toPrecision(2))
}

function numberText(value: number, { unit = '' }: Bar): string {
  return value.toLocaleString('en') + unit
}

function boundOf({ max, min }: Bar): string {
  if (max !== undefined) return `≤ ${max.toLocaleString('en')}`
  return min === undefined ? '' : `≥ ${min.toLocaleString('en')}`
}
