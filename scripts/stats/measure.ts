import { posix } from 'node:path'
import { reachedTests } from '../boundaries/affected.ts'
import { edgesOf, type WorkspaceEntries } from '../boundaries/graph.ts'
import { runTimeEdgesOf } from '../boundaries/run-time-edges.ts'
import { codeLines, type Declarations, declarationsOf } from './declarations.ts'
import { type VendorFacts, vendorFactsOf } from './vendor-facts.ts'

/** The measures of the code base, or of a part of it, that `npm run stats` prints. */
export interface Measures {
  readonly files: number
  readonly lines: number
  readonly codeLines: number
  readonly testFiles: number
  readonly testLines: number
  /** Lines of the source files, ascending. */
  readonly fileLines: readonly number[]
  /** Named functions of the source files, the shortest first. */
  readonly functions: readonly { readonly place: string; readonly lines: number }[]
  readonly exports: { readonly all: number; readonly undocumented: readonly string[] }
  /** Folders with more entries than a reader takes in, with the count. */
  readonly wideFolders: readonly { readonly folder: string; readonly entries: number }[]
  /** How facts about vendors stand in the code. */
  readonly vendorFacts: VendorFacts
  /** Unit tests that a change of each source file runs, ascending. */
  readonly reached: readonly number[]
  /** Small files with a single importer, which may be a part of it. */
  readonly soleImports: readonly {
    readonly path: string
    readonly importer: string
    readonly lines: number
  }[]
}

/** Entries that a reader takes in at a glance. */
const folderLimit = 25
/** A file of at most so many lines is small. */
const smallFile = 25

/** Test suites, the helpers of tests, and code around the product; the rest is source. */
const testFile = /\.test\.tsx?$|\/(test-support|contract|fixtures)\/|^(tests|bench)\//
const script = /\.(ts|tsx|mjs|js)$/

/**
 * Measures the files below the folders; imports are read in the whole repository.
 * @param files every tracked text file of apps, packages, scripts, tests and bench, by its path
 * @param folders path prefixes; empty for everything
 */
export function measure(
  files: ReadonlyMap<string, string>,
  workspaces: WorkspaceEntries,
  folders: readonly string[],
): Measures {
  const isBelow = (path: string) =>
    folders.length === 0 || folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  const code = [...files].filter(([path]) => isBelow(path) && /\.(ts|tsx|mjs|js|css)$/.test(path))
  const sources = code.filter(([path]) => !testFile.test(path))
  const tests = code.filter(([path]) => testFile.test(path))
  const declared = sources
    .filter(([path]) => script.test(path))
    .map(([path, source]) => ({ path, ...declarationsOf(path, source) }))
  const styles = sources.filter(([path]) => !script.test(path))
  return {
    files: sources.length,
    lines: sum(sources.map(([, source]) => linesOf(source))),
    codeLines: sum([
      ...declared.map((file) => file.codeLines),
      ...styles.map(([, text]) => styleLines(text)),
    ]),
    testFiles: tests.length,
    testLines: sum(tests.map(([, source]) => linesOf(source))),
    fileLines: sources.map(([, source]) => linesOf(source)).sort((one, other) => one - other),
    functions: functionsOf(declared),
    exports: exportsOf(declared),
    wideFolders: wideFolders([...files.keys()].filter(isBelow)),
    vendorFacts: vendorFactsOf(sources),
    reached: reachedBy(declared, files, workspaces),
    soleImports: soleImports(files, workspaces, isBelow),
  }
}

/** The value that a share of the ascending values does not exceed; 0 without values. */
export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

type DeclaredFile = Declarations & { readonly path: string }

function functionsOf(declared: readonly DeclaredFile[]): Measures['functions'] {
  return declared
    .flatMap(({ path, functions }) =>
      functions.map(({ name, lines }) => ({ place: `${path} ${name}`, lines })),
    )
    .sort((one, other) => one.lines - other.lines)
}

/** Packages alone: an app's modules are read with their folder's README, a package's by people who import it. */
function exportsOf(declared: readonly DeclaredFile[]): Measures['exports'] {
  const all = declared
    .filter(({ path }) => path.startsWith('packages/'))
    .flatMap(({ path, exports }) => exports.map((one) => ({ place: `${path} ${one.name}`, ...one })))
  return {
    all: all.length,
    undocumented: all.filter(({ isDocumented }) => !isDocumented).map(({ place }) => place),
  }
}

/** Fixtures lie in folders of their own, named by case, which readers open by name and not as a list. */
function wideFolders(paths: readonly string[]): Measures['wideFolders'] {
  const entries = new Map<string, Set<string>>()
  for (const path of paths.filter((one) => !one.includes('/fixtures/'))) {
    for (let child = path; child.includes('/'); child = posix.dirname(child)) {
      const folder = posix.dirname(child)
      entries.set(folder, (entries.get(folder) ?? new Set()).add(child))
    }
  }
  return [...entries]
    .map(([folder, children]) => ({ folder, entries: children.size }))
    .filter((one) => one.entries > folderLimit)
    .sort((one, other) => other.entries - one.entries)
}

function reachedBy(
  declared: readonly DeclaredFile[],
  files: ReadonlyMap<string, string>,
  workspaces: WorkspaceEntries,
): readonly number[] {
  const scripts = new Map([...files].filter(([path]) => script.test(path)))
  const sources = declared.map(({ path }) => path)
  return reachedTests(sources, [...scripts.keys()], runTimeEdgesOf(scripts, workspaces)).toSorted(
    (one, other) => one - other,
  )
}

function soleImports(
  files: ReadonlyMap<string, string>,
  workspaces: WorkspaceEntries,
  isBelow: (path: string) => boolean,
): Measures['soleImports'] {
  const sources = new Map([...files].filter(([path]) => script.test(path) && !testFile.test(path)))
  const importers = new Map<string, Set<string>>()
  for (const { from, to } of edgesOf(sources, workspaces))
    importers.set(to, (importers.get(to) ?? new Set()).add(from))
  return [...sources].flatMap(([path, source]) => {
    const [importer, ...others] = importers.get(path) ?? []
    const lines = linesOf(source)
    const isSole = importer !== undefined && others.length === 0 && lines <= smallFile && isBelow(path)
    return isSole ? [{ path, importer, lines }] : []
  })
}

function styleLines(text: string): number {
  return codeLines(
    text,
    [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    })),
  )
}

function linesOf(source: string): number {
  return source.split('\n').length - (source.endsWith('\n') ? 1 : 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
