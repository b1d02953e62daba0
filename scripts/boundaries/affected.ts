import { posix } from 'node:path'
import type { Edge } from './graph.ts'
import type { RunTimeEdge } from './run-time-edges.ts'

/** Files that a change may have broken, as paths in the repository. */
export interface Affected {
  /** The changed files, and every source that imports it, directly or through others. */
  readonly affected: readonly string[]
  /** The unit tests that run what changed, and those that may read it without importing it. */
  readonly tests: readonly string[]
  /** The whole-system suites that changed or import changed test code; tests/suites.json maps product sources to suites. */
  readonly suites: readonly string[]
}

/** Files that decide for the whole repository which packages and types there are. */
const decidesForAll = /^(bun\.lock|bunfig\.toml|package\.json|tsconfig[^/]*\.json|tools\/.*)$/
const unitTest = /^(?!tests\/e2e\/).*\.test\.tsx?$/
const suite = /^tests\/e2e\/.*\.test\.ts$/

/**
 * @param changed paths that were changed, added or deleted
 * @param sources every source there is
 * @param edges the imports among them
 * @param runTimeEdges what they need of one another when they run
 */
export function affectedBy(
  changed: readonly string[],
  sources: readonly string[],
  edges: readonly Edge[],
  runTimeEdges: readonly RunTimeEdge[],
): Affected {
  if (changed.some((path) => decidesForAll.test(path)))
    return { affected: [...sources], tests: sources.filter(isUnitTest), suites: sources.filter(isSuite) }
  const importers = importersIn(edges)
  const affected = withImporters(changed, importers)
  const readers = changed.flatMap((path) => sources.filter((source) => mayRead(source, path, sources)))
  const tests = new Set([...withImporters(changed, importersIn(runTimeEdges)), ...readers].filter(isUnitTest))
  const testCode = withImporters(
    changed.filter((path) => path.startsWith('tests/')),
    importers,
  )
  return {
    affected,
    tests: sources.filter((source) => tests.has(source)),
    suites: testCode.filter(isSuite),
  }
}

function isSuite(path: string): boolean {
  return suite.test(path)
}

function isUnitTest(path: string): boolean {
  return unitTest.test(path)
}

/**
 * Returns for each of the sources how many unit tests a change of it runs.
 * @param sources of which it is counted
 * @param all every source there is
 */
export function reachedTests(
  sources: readonly string[],
  all: readonly string[],
  runTimeEdges: readonly RunTimeEdge[],
): readonly number[] {
  const importers = importersIn(runTimeEdges)
  const beside = new Map<string, string[]>()
  for (const test of all.filter(isUnitTest)) {
    const folder = posix.dirname(test)
    beside.set(folder, [...(beside.get(folder) ?? []), test])
  }
  return sources.map(
    (source) =>
      new Set([
        ...withImporters([source], importers).filter(isUnitTest),
        ...(beside.get(posix.dirname(source)) ?? []),
      ]).size,
  )
}

type Importers = ReadonlyMap<string, readonly string[]>

function importersIn(edges: readonly RunTimeEdge[]): Importers {
  const importers = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const known = importers.get(to)
    if (known === undefined) importers.set(to, [from])
    else known.push(from)
  }
  return importers
}

function withImporters(changed: readonly string[], importers: Importers): readonly string[] {
  const found = new Set(changed)
  // A set is walked over what is added to it on the way.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer)
  return [...found]
}

/** A test reads sources in its own folder by their names, and other files (fixtures) anywhere in its workspace. */
function mayRead(source: string, changed: string, sources: readonly string[]): boolean {
  // `sources` does not list a deleted source.
  const isSource = sources.includes(changed) || /\.tsx?$/.test(changed)
  if (isSource) return posix.dirname(source) === posix.dirname(changed)
  const workspace = /^(packages|apps)\/[^/]+\//.exec(changed)?.[0]
  return workspace !== undefined && !changed.endsWith('.md') && source.startsWith(workspace)
}
