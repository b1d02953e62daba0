import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { $ } from 'bun'
import { thisProgram } from '../../apps/server/src/lib/program.ts'
import { postgresDialect } from '../../apps/server/src/store/dialects/postgres-dialect.ts'
import type { SqlDialect } from '../../apps/server/src/store/dialects/sql-dialect.ts'
import { sqliteDialect } from '../../apps/server/src/store/dialects/sqlite-dialect.ts'
import type { LandedMigration } from '../../apps/server/src/store/engine/upgrade/landed.ts'
import { at, root } from '../lib/root.mjs'
import { findFaults, type PresentMigration, type RecordedBefore, record } from './landing.ts'
import { type MigrationFile, unlisted, withListed } from './listing.ts'

/**
 * The record of landed migrations, `apps/server/src/store/engine/upgrade/landed.json`.
 * `npm run migrations` fails where the code and the record differ, or the record and what earlier commits have of it.
 * `--record [--below "why"]` lists the files that `schema/migrate.ts` lacks and adds what is not recorded, and the commits of what is; `--below` lets one stand below others.
 */
const { values } = parseArgs({
  options: { record: { type: 'boolean' }, below: { type: 'string' } },
})
const path = 'apps/server/src/store/engine/upgrade/landed.json'
/** Path of the list in commits before the rooms of the store. */
const formerPath = 'apps/server/src/store/upgrade/landed.json'
const file = at(...path.split('/'))
const schemaFolder = at('apps', 'server', 'src', 'store', 'schema')
const listFile = `${schemaFolder}/migrate.ts`
const migrationFiles = readMigrationFiles()
if (values.record) writeFileSync(listFile, withListed(readFileSync(listFile, 'utf8'), migrationFiles))
const missing = unlisted(readFileSync(listFile, 'utf8'), migrationFiles)
// Loaded once it is complete.
const { migrationNames, statementsOf } = await import('../../apps/server/src/store/schema/migrate.ts')
const present = migrationNames.map(describe)
const landed = values.record ? record(present, read(), values.below) : read()
const faults = [
  ...missing.map(({ name }) => `${name} is not in the list: run npm run migrations -- --record`),
  ...findFaults(present, landed, await recordedBefore()),
]
if (values.record && faults.length === 0) await write(landed)
for (const fault of faults) console.error(fault)
if (faults.length === 0) console.log(`${present.length} migrations stand as they landed`)
process.exitCode = faults.length === 0 ? 0 : 1

function describe(name: string): PresentMigration {
  return {
    name,
    sqlite: digest(name, sqliteDialect),
    postgres: digest(name, postgresDialect),
    version: thisProgram.version,
  }
}

function digest(name: string, dialect: SqlDialect): string {
  return new Bun.CryptoHasher('sha256').update(statementsOf(name, dialect).join('\0')).digest('hex')
}

function readMigrationFiles(): readonly MigrationFile[] {
  const folder = `${schemaFolder}/migrations`
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[\w-]+\.ts$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => ({ name: name.slice(0, -3), source: readFileSync(`${folder}/${name}`, 'utf8') }))
}

function read(): readonly LandedMigration[] {
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function write(landed: readonly LandedMigration[]): Promise<void> {
  const known = await Promise.all(landed.map(withCommit))
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
}

/** The first commit that has the migration under its name, where the history is here. */
async function withCommit(entry: LandedMigration): Promise<LandedMigration> {
  if (entry.commit !== undefined) return entry
  const source = `apps/server/src/store/schema/${entry.name}.ts`
  const found = await git(['log', '--diff-filter=A', '--format=%h', '--abbrev=12', '--reverse', '--', source])
  const [commit] = found.split('\n')
  return commit ? { ...entry, commit } : entry
}

/** Reads the records of the commits that are here: a shallow clone has fewer. */
async function recordedBefore(): Promise<readonly RecordedBefore[]> {
  const commits = (await git(['log', '--format=%h', '--', path, formerPath]))
    .split('\n')
    .filter((commit) => commit !== '')
  return Promise.all(
    commits.map(async (commit) => {
      const text =
        (await git(['show', `${commit}:${path}`])) || (await git(['show', `${commit}:${formerPath}`]))
      return { commit, landed: text === '' ? [] : JSON.parse(text) }
    }),
  )
}

/** Empty where there is no repository. */
async function git(args: readonly string[]): Promise<string> {
  const { stdout, exitCode } = await $`git ${args}`.cwd(root).nothrow().quiet()
  return exitCode === 0 ? stdout.toString().trim() : ''
}
