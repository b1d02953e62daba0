import { type Edge, targetOf, type WorkspaceEntries } from './graph.ts'
import { lazyImportsOf } from './imports.ts'
import { moduleOf, type Passed, type SourceModule } from './modules.ts'

/** A file needs another when it runs. */
export type RunTimeEdge = Pick<Edge, 'from' | 'to'>

/**
 * Returns what each file needs when it runs: no types, which the compiler checks. A barrel, which only passes on what others export, is
 * looked through: who imports a name of it needs the module that has the name and not that module's neighbours. `files` maps a path in
 * the repository to its source.
 */
export function runTimeEdgesOf(
  files: ReadonlyMap<string, string>,
  workspaces: WorkspaceEntries,
): readonly RunTimeEdge[] {
  const modules = new Map([...files].map(([path, source]) => [path, moduleOf(path, source)]))
  const graph: Graph = { modules, target: (from, specifier) => targetOf(from, specifier, workspaces) }
  return [...files].flatMap(([from, source]) =>
    [...new Set(neededBy(from, source, graph))].map((to) => ({ from, to })),
  )
}

/** They load every page of the console, each when it is opened: a test that opens one names it. */
const routes = /^apps\/web\/src\/routes\//

interface Graph {
  readonly modules: ReadonlyMap<string, SourceModule>
  target(from: string, specifier: string): string
}

function neededBy(from: string, source: string, graph: Graph): readonly string[] {
  const { taken = [], passed = [], isBarrel = false } = graph.modules.get(from) ?? {}
  const lazy = (routes.test(from) ? [] : lazyImportsOf(from, source)).map(({ specifier }) => ({
    specifier,
    names: 'all' as const,
  }))
  return [
    ...[...taken, ...lazy].flatMap(({ specifier, names }) => {
      const entry = graph.target(from, specifier)
      return names === 'all' ? allBehind(entry, graph) : names.flatMap((name) => behind(entry, name, graph))
    }),
    ...(isBarrel ? [] : passed.flatMap((one) => sourcesOf(from, one, graph))),
  ]
}

/** The module that has a name which a file exports, with the barrels on the way; all behind the file where none is found. */
function behind(path: string, name: string, graph: Graph): readonly string[] {
  const module = graph.modules.get(path)
  if (module === undefined || !module.isBarrel) return [path]
  const passed =
    module.passed.find(({ as }) => as === name) ??
    module.passed.find((one) => isStar(one) && offers(graph.target(path, one.specifier), name, graph))
  if (passed === undefined) return allBehind(path, graph)
  return [path, ...sourcesOf(path, isStar(passed) ? { ...passed, name } : passed, graph)]
}

function isStar({ name, as }: Passed): boolean {
  return name === undefined && as === undefined
}

/** The modules from which a file has what it passes on. */
function sourcesOf(from: string, { specifier, name }: Passed, graph: Graph): readonly string[] {
  const target = graph.target(from, specifier)
  return name === undefined ? allBehind(target, graph) : behind(target, name, graph)
}

function allBehind(path: string, graph: Graph): readonly string[] {
  const module = graph.modules.get(path)
  if (module === undefined || !module.isBarrel) return [path]
  return [path, ...module.passed.flatMap((one) => sourcesOf(path, one, graph))]
}

function offers(path: string, name: string, graph: Graph): boolean {
  const module = graph.modules.get(path)
  if (module === undefined) return false
  return (
    module.own.includes(name) ||
    module.passed.some(
      (one) => one.as === name || (isStar(one) && offers(graph.target(path, one.specifier), name, graph)),
    )
  )
}
