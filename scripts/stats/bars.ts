import { type Measures, quantile } from './measure.ts'

/** Facts about vendors that code states may become fewer, never more: a new one is a column of a profile. */
export const maxVendorEdits = 29
export const maxModelExpressions = 61
/** The house as it is on 2026-11-29: each of these may shrink, and its limit with it. */
const ceilings = { fileLines: 662, functionLines: 122, wideFolders: 23 } as const

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
 * @param isPart of the repository: the share of its tests has no limit
 */
export function barsOf(measures: Measures, isPart: boolean): readonly Bar[] {
  const functionLines = measures.functions.map(({ lines }) => lines)
  const { all, undocumented } = measures.exports
  return [
    { name: 'source lines', value: measures.lines },
    { name: 'source lines without blanks and comments', value: measures.codeLines },
    { name: 'source files', value: measures.files },
    { name: 'lines of a file, median', value: quantile(measures.fileLines, 0.5) },
    { name: 'lines of a file, p90', value: quantile(measures.fileLines, 0.9) },
    { name: 'lines of a file, longest', value: quantile(measures.fileLines, 1), atMost: ceilings.fileLines },
    { name: 'files of 15 lines or fewer', value: measures.fileLines.filter((lines) => lines <= 15).length },
    { name: 'small files with a single importer', value: measures.soleImports.length },
    {
      name: 'folders with more than 25 entries',
      value: measures.wideFolders.length,
      atMost: ceilings.wideFolders,
    },
    { name: 'named functions', value: functionLines.length },
    { name: 'lines of a function, median', value: quantile(functionLines, 0.5), atMost: 8 },
    { name: 'lines of a function, p90', value: quantile(functionLines, 0.9), atMost: 20 },
    {
      name: 'lines of a function, longest',
      value: quantile(functionLines, 1),
      atMost: ceilings.functionLines,
    },
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
    { name: 'test files a change reaches, median', value: quantile(measures.reached, 0.5), atMost: 60 },
    { name: 'test files a change reaches, p90', value: quantile(measures.reached, 0.9), atMost: 150 },
    { name: 'test lines', value: measures.testLines },
    { name: 'test files', value: measures.testFiles },
    {
      name: 'test lines to source lines',
      value: ratio(measures.testLines, measures.lines),
      ...(!isPart && { atLeast: 0.7 }),
    },
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
