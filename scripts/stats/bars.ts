import { reachedIn, sourcesOf, sum, testShare } from './figures.ts'
import { quantile } from './quantile.ts'
import type { Survey } from './survey.ts'

/** One measure of the whole code base, with the bound that it is held to where it has one. */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly max?: number
  readonly min?: number
  readonly unit?: string
}

/**
 * Returns the measures in the order they are printed; those without a bound are for the reader, and limits by module hold what grows.
 * @param isPart of the repository: the share of its tests, and the tests that a change of it reaches, have no bound
 */
export function barsOf(part: Survey, isPart: boolean): readonly Bar[] {
  return [...sizes(part), ...shapes(part), ...tests(part, isPart), ...words(part)]
}

/** Says whether the value is within its bound. */
export function isMet({ value, max, min }: Bar): boolean {
  return (max === undefined || value <= max) && (min === undefined || value >= min)
}

function sizes(part: Survey): readonly Bar[] {
  const sources = sourcesOf(part)
  const fileLines = ascending(sources.map(({ lines }) => lines))
  return [
    { name: 'source lines', value: sum(fileLines) },
    {
      name: 'source lines without blanks and comments',
      value: sum(sources.map(({ codeLines }) => codeLines)),
    },
    { name: 'source files', value: sources.length },
    { name: 'lines of a file, median', value: quantile(fileLines, 0.5) },
    { name: 'lines of a file, p90', value: quantile(fileLines, 0.9) },
    { name: 'lines of a file, longest', value: quantile(fileLines, 1) },
    { name: 'files of 15 lines or fewer', value: fileLines.filter((lines) => lines <= 15).length },
    {
      name: 'small files with a single importer',
      value: sources.filter(({ soleImporter }) => soleImporter !== undefined).length,
    },
    {
      name: 'folders with more than 25 entries',
      value: part.folders.filter(({ entries }) => entries > 25).length,
    },
  ]
}

function shapes(part: Survey): readonly Bar[] {
  const sources = sourcesOf(part)
  const lines = ascending(sources.flatMap(({ functions }) => functions.map((one) => one.lines)))
  return [
    { name: 'named functions', value: lines.length },
    { name: 'lines of a function, median', value: quantile(lines, 0.5), max: 8 },
    { name: 'lines of a function, p90', value: quantile(lines, 0.9), max: 20 },
    { name: 'lines of a function, longest', value: quantile(lines, 1) },
    { name: 'edits written beside rows of vendors', value: sum(sources.map(({ edits }) => edits.length)) },
    {
      name: 'regular expressions on model names',
      value: sum(sources.map(({ expressions }) => expressions.length)),
    },
  ]
}

function tests(part: Survey, isPart: boolean): readonly Bar[] {
  const files = part.files.filter(({ isTest }) => isTest)
  const reached = reachedIn(part)
  return [
    {
      name: 'test files a change reaches, median',
      value: quantile(reached, 0.5),
      ...(!isPart && { max: 60 }),
    },
    { name: 'test files a change reaches, p90', value: quantile(reached, 0.9), ...(!isPart && { max: 150 }) },
    { name: 'test lines', value: sum(files.map(({ lines }) => lines)) },
    { name: 'test files', value: files.length },
    { name: 'test lines to source lines', value: testShare(part), ...(!isPart && { min: 0.69 }) },
  ]
}

function words(part: Survey): readonly Bar[] {
  const inPackages = sourcesOf(part)
    .filter(({ path }) => path.startsWith('packages/'))
    .flatMap(({ exports }) => exports)
  return [
    {
      name: 'exports of packages with a docstring',
      value: percent(inPackages.filter(({ isDocumented }) => isDocumented).length, inPackages.length),
      min: 90,
      unit: '%',
    },
    {
      name: 'docstrings that begin otherwise',
      value: sum(part.files.map(({ openings }) => openings.length)),
    },
    { name: 'names with a refused word', value: sum(part.files.map((file) => file.refusedNames.length)) },
    {
      name: '@param that names no parameter',
      value: sum(part.files.map(({ parameters }) => parameters.length)),
      max: 0,
    },
  ]
}

function ascending(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((one, other) => one - other)
}

/** Rounds down, so that what misses a bound by little does not look as if it met it. */
function percent(part: number, all: number): number {
  return all === 0 ? 100 : Math.floor((1000 * part) / all) / 10
}
