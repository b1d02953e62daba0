import { quantile } from './quantile.ts'
import type { Survey, SurveyedFile } from './survey.ts'

/** Figures of one module, or of a resource, by the key of the measure. Those that are zero are left out. */
export type Figures = Readonly<Record<string, number>>

/** A measure of a module, and the rule by which its limit moves. */
export interface Figure {
  readonly name: string
  /** A lower bound, which only rises; the others are upper ones, which only fall. */
  readonly isLowerBound?: true
  /** The least limit: what is below needs no reason. */
  readonly floor?: number
  /** The share of the value by which a limit is rounded, so that a day's work does not move it; without one it is exact. */
  readonly roundedBy?: number
  /** The least step of what is rounded. */
  readonly step?: number
  readonly of: (part: Survey) => number
}

/** The figures of a module, in the order in which they are recorded. */
export const moduleFigures: Readonly<Record<string, Figure>> = {
  lines: {
    name: 'source lines',
    roundedBy: 0.03,
    step: 20,
    of: (part) => sum(sourcesOf(part).map(({ lines }) => lines)),
  },
  files: { name: 'source files', roundedBy: 0.03, step: 1, of: (part) => sourcesOf(part).length },
  longestFile: {
    name: 'lines of the longest file',
    floor: 250,
    of: (part) => maxOf(sourcesOf(part).map(({ lines }) => lines)),
  },
  widestFolder: {
    name: 'entries of the widest folder',
    floor: 25,
    of: ({ folders }) => maxOf(folders.map(({ entries }) => entries)),
  },
  longestFunction: {
    name: 'lines of the longest function',
    floor: 40,
    of: (part) => maxOf(sourcesOf(part).flatMap(({ functions }) => functions.map(({ lines }) => lines))),
  },
  soleImports: {
    name: 'small files with a single importer',
    of: (part) => sourcesOf(part).filter(({ soleImporter }) => soleImporter !== undefined).length,
  },
  testShare: {
    name: 'test lines to source lines',
    isLowerBound: true,
    roundedBy: 0.05,
    step: 0.05,
    of: testShare,
  },
  undocumented: {
    name: 'exports without a docstring',
    of: (part) =>
      sum(sourcesOf(part).map(({ exports }) => exports.filter((one) => !one.isDocumented).length)),
  },
  openings: {
    name: 'docstrings that begin with neither a verb nor a noun',
    of: ({ files }) => sum(files.map(({ openings }) => openings.length)),
  },
  words: {
    name: 'names with a refused word',
    of: ({ files }) => sum(files.map(({ refusedNames }) => refusedNames.length)),
  },
  reachedMedian: {
    name: 'test files a change reaches, median',
    floor: 10,
    roundedBy: 0.1,
    step: 5,
    of: (part) => quantile(reachedIn(part), 0.5),
  },
  reachedP90: {
    name: 'test files a change reaches, p90',
    floor: 10,
    roundedBy: 0.1,
    step: 5,
    of: (part) => quantile(reachedIn(part), 0.9),
  },
  edits: {
    name: 'edits written beside rows of vendors',
    of: (part) => sum(sourcesOf(part).map(({ edits }) => edits.length)),
  },
  expressions: {
    name: 'regular expressions on model names',
    of: (part) => sum(sourcesOf(part).map(({ expressions }) => expressions.length)),
  },
}

/** Returns the figures of every module that the survey has. */
export function figuresOf({ files, folders }: Survey): Readonly<Record<string, Figures>> {
  const modules = [...new Set(files.map(({ module }) => module))].sort()
  return Object.fromEntries(
    modules.map((module) => {
      const part = {
        files: files.filter((file) => file.module === module),
        folders: folders.filter((folder) => folder.module === module),
      }
      const figures = Object.entries(moduleFigures).map(([key, { of }]) => [key, of(part)] as const)
      return [module, Object.fromEntries(figures.filter(([, value]) => value !== 0))]
    }),
  )
}

/** Returns the files that are neither tests nor helpers of tests. */
export function sourcesOf({ files }: Survey): readonly SurveyedFile[] {
  return files.filter(({ isTest }) => !isTest)
}

/** Returns how many unit tests a change of each source runs, ascending. */
export function reachedIn(part: Survey): readonly number[] {
  return sourcesOf(part)
    .flatMap(({ reached }) => reached ?? [])
    .sort((one, other) => one - other)
}

/** Rounds down, so that what misses a bound by little does not look as if it met it. */
export function testShare(part: Survey): number {
  const lines = sum(sourcesOf(part).map((file) => file.lines))
  const tests = sum(part.files.filter(({ isTest }) => isTest).map((file) => file.lines))
  return lines === 0 ? 0 : Math.floor((100 * tests) / lines) / 100
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((max, one) => Math.max(max, one), 0)
}
