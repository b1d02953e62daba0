import { posix } from 'node:path'
import type { Edge } from './graph.ts'

/** What a change may have broken, as paths in the repository. */
export interface Affected {
  /** What changed, and every source that imports it, directly or through others. */
  readonly affected: readonly string[]
  /** The unit tests among those, and those that may read what changed without importing it. */
  readonly tests: readonly string[]
  /** The whole-system suites that changed or import changed test code; tests/suites.json maps product sources to suites. */
  readonly suites: readonly string[]
}

/** What decides for the whole repository which packages and types there are. */
const decidesForAll = /^(bun\.lock|bunfig\.toml|package\.json|tsconfig[^/]*\.json|tools\/.*)$/
const unitTest = /^(?!tests\/e2e\/).*\.test\.tsx?$/
const suite = /^tests\/e2e\/.*\.test\.ts$/

/**
 * @param changed paths that were changed, added or deleted
 * @param sources every source there is
 * @param edges the imports among them
 */
export function affectedBy(
  changed: readonly string[],
  sources: readonly string[],
  edges: readonly Edge[],
): Affected {
  if (changed.some((path) => decidesForAll.test(path)))
    return { affected: [...sources], tests: sources.filter(isUnitTest), suites: sources.filter(isSuite) }
  const affected = withImporters(changed, edges)
  const readers = changed.flatMap((path) => sources.filter((source) => mayRead(source, path, sources)))
  const tests = new Set([...affected, ...readers].filter(isUnitTest))
  const testCode = withImporters(
    changed.filter((path) => path.startsWith('tests/')),
    edges,
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

function withImporters(changed: readonly string[], edges: readonly Edge[]): readonly string[] {
  const importers = new Map<string, string[]>()
  for (const { from, to } of edges) importers.set(to, [...(importers.get(to) ?? []), from])
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
