import { Glob } from 'bun'
import type { WorkspaceEntries } from './graph.ts'

export const root = new URL('../../', import.meta.url).pathname

/** The product and its tests. */
export const productSources = '{packages,apps}/*/src/**/*.{ts,tsx}'
/** Code around the product: scripts, whole-system tests and their support, the bench. */
export const scaffoldSources = '{scripts,tests,bench}/**/*.{ts,mjs}'

/** Sources by their path in the repository. */
export async function readSources(...patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const paths = patterns.flatMap((pattern) => [...new Glob(pattern).scanSync(root)]).sort()
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(root + path).text()] as const)),
  )
}

/** Reads what each workspace offers under its name, by the `exports` of its package.json. */
export async function readWorkspaces(): Promise<WorkspaceEntries> {
  const entries = new Map<string, string>()
  for (const path of new Glob('{packages,apps}/*/package.json').scanSync(root)) {
    const { name, exports = {} } = await Bun.file(root + path).json()
    const folder = path.replace('package.json', '')
    for (const [entry, file] of Object.entries<string>(exports)) {
      entries.set(name + entry.slice(1), folder + file.replace('./', ''))
    }
  }
  return entries
}
