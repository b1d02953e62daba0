import { type Measures, quantile } from './measure.ts'

/** Facts about vendors that code states may become fewer, never more: a new one is a column of a profile. */
export const maxVendorEdits = 29
export const maxModelExpressions = 61

/** One measure with the limit that `npm run stats -- --check` holds it to. */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly atMost?: number
  readonly atLeast?: number
  readonly unit?: string
}

/**
 * The measures in the order they are printed; those without a limit are for the reader.
 * @param isPart of the repository: limits of its size are left out
 */
export function barsOf(measures: Measures, isPart: boolean): readonly Bar[] {
  const size = (atMost: number) => (isPart ? {} : { atMost })
  const functionLines = measures.functions.map(({ lines }) => lines)
  const { all, undocumented } = measures.exports
  return [
    { name: 'source lines', value: measures.lines, ...size(105_000) },
    { name: 'source lines without blanks and comments', value: measures.codeLines },
    { name: 'source files', value: measures.files, ...size(1_200) },
    { name: 'lines of a file, median', value: quantile(measures.fileLines, 0.5) },
    { name: 'lines of a file, p90', value: quantile(measures.fileLines, 0.9) },
    { name: 'lines of a file, longest', value: quantile(measures.fileLines, 1) },
    { name: 'files of 15 lines or fewer', value: measures.fileLines.filter((lines) => lines <= 15).length },
    { name: 'small files with a single importer', value: measures.soleImports.length },
    { name: 'folders with more than 25 entries', value: measures.wideFolders.length, atMost: 0 },
    { name: 'named functions', value: functionLines.length },
    { name: 'lines of a function, median', value: quantile(functionLines, 0.5), atMost: 8 },
    { name: 'lines of a function, p90', value: quantile(functionLines, 0.9), atMost: 20 },
    { name: 'lines of a function, longest', value: quantile(functionLines, 1), atMost: 100 },
    {
      name: 'edits written beside rows of vendors',
      value: measures.vendorFacts.edits.length,
      atMost: maxVendorEdits,
    },
    {
      name: 'regular expressions on model names',
      value: measures.vendorFacts.expressions.length,
      atMost: maxModelExpressions,
    },
    { name: 'test lines', value: measures.testLines },
    { name: 'test files', value: measures.testFiles },
    { name: 'test lines to source lines', value: ratio(measures.testLines, measures.lines), atLeast: 0.8 },
    {
      name: 'exports of packages with a docstring',
      value: percent(all - undocumented.length, all),
      atLeast: 90,
      unit: '%',
    },
  ]
}

/** Whether the value is within its limit. */
export function isMet({ value, atMost, atLeast }: Bar): boolean {
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)
}

/** Rounded down, so that what misses a limit by little does not look as if it met it. */
function ratio(part: number, all: number): number {
  return all === 0 ? 0 : Math.floor((100 * part) / all) / 100
}

function percent(part: number, all: number): number {
  return all === 0 ? 100 : Math.floor((1000 * part) / all) / 10
}
