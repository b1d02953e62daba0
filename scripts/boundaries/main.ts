import { Glob } from 'bun'
import { edgesOf, type WorkspaceEntries } from './graph.ts'
import { violations } from './rule.ts'
import { rules } from './rules.ts'

const root = new URL('../../', import.meta.url).pathname

const files = await readSources()
const edges = edgesOf(files, await readWorkspaces())
const broken = violations(edges, rules)
for (const line of broken) console.log(line)
console.log(`${files.size} files, ${edges.length} imports, ${broken.length} broken rules`)
process.exitCode = broken.length === 0 ? 0 : 1

async function readSources(): Promise<ReadonlyMap<string, string>> {
  const paths = [...new Glob('{packages,apps}/*/src/**/*.{ts,tsx}').scanSync(root)].sort()
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(root + path).text()] as const)),
  )
}

/** What each workspace offers under its name, by the `exports` of its package.json. */
async function readWorkspaces(): Promise<WorkspaceEntries> {
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
