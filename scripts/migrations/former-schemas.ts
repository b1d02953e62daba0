/**
 * Writes the schemas of the history, from which `upgrade/history.test.ts` starts:
 * `bun scripts/migrations/former-schemas.ts` in a clone with all of it.
 */
import { writeFileSync } from 'node:fs'
import { $ } from 'bun'
import { at, root } from '../lib/root.mjs'

/** A set of migrations that commits of the history have, with the first and the last of them. */
interface FormerSchema {
  readonly commit: string
  readonly last: string
  readonly migrations: readonly string[]
}

const folders = ['apps/server/src/store/schema', 'apps/server/src/store/migrations']
/** Before it nothing was released, and no program carries a database over. */
const firstMigration = '0001-initial'
const target = at(
  'apps',
  'server',
  'src',
  'store',
  'engine',
  'upgrade',
  'test-support',
  'former-schemas.json',
)

// Records every schema of the history that is here, for the tests of a shallow clone, which has none of them.
const commits = (await $`git log --reverse --date-order --format=%h --abbrev=12`.cwd(root).text())
  .trim()
  .split('\n')
const current = (await migrationsOf('HEAD')).join(' ')
const found = new Map<string, FormerSchema>()
for (const commit of commits) {
  const migrations = await migrationsOf(commit)
  const key = migrations.join(' ')
  if (migrations[0] !== firstMigration || key === current) continue
  found.set(key, { commit: found.get(key)?.commit ?? commit, last: commit, migrations })
}
const schemas = [...found.values()].toSorted((one, other) => one.migrations.length - other.migrations.length)
writeFileSync(target, `${JSON.stringify(schemas, null, 2)}\n`)
console.log(`${schemas.length} former schemas`)

async function migrationsOf(commit: string): Promise<readonly string[]> {
  const files = await $`git ls-tree -r --name-only ${commit} ${folders}`.cwd(root).text()
  return [...files.matchAll(/\/(\d{4}-[\w-]+)\.ts$/gm)].map(([, name = '']) => name).toSorted()
}
