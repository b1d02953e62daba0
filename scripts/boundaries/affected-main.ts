import { $ } from 'bun'
import { affectedBy } from './affected.ts'
import { edgesOf } from './graph.ts'
import { runTimeEdgesOf } from './run-time-edges.ts'
import { productSources, readSources, readWorkspaces, root, scaffoldSources } from './sources.ts'

/** Prints as JSON what changed since a commit (uncommitted changes count) and what that affects. */
const [since = 'HEAD'] = process.argv.slice(2)
$.cwd(root)

const sources = await readSources(productSources, scaffoldSources)
const changed = await changedSince(since)
const workspaces = await readWorkspaces()
const { affected, tests, suites } = affectedBy(
  changed,
  [...sources.keys()],
  edgesOf(sources, workspaces),
  runTimeEdgesOf(sources, workspaces),
)
console.log(JSON.stringify({ changed, affected, tests, suites }))

/** Lists changes since the branch left `since`, not what happened to `since` afterwards. A renamed file changed under both of its names. */
async function changedSince(since: string): Promise<readonly string[]> {
  const base = (await $`git merge-base HEAD ${since}`.text()).trim()
  const tracked = await $`git diff --name-only --no-renames ${base}`.text()
  const added = await $`git ls-files --others --exclude-standard`.text()
  return `${tracked}${added}`.split('\n').filter((path) => path !== '')
}
