import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { at } from '../../scripts/lib/root.mjs'

/** A build of the program as the next version could be: its own sources, another version and one more migration. */
export interface NextVersion {
  /** Path at which it starts. */
  readonly program: string
  readonly version: string
  remove(): void
}

const version = '999.0.0'

/**
 * Migration as the first half of a change of the schema (expand): a column with a default on each table that calls write, and an index.
 * In PostgreSQL's words alone.
 */
const migration = `'9999-next': () => [
    ...['users', 'tokens', 'user_accounts', 'token_accounts', 'channels', 'logs'].map(
      (table) => \`alter table \${table} add column of_the_next_version text not null default ''\`),
    'create index of_the_next_version on users (of_the_next_version)',
  ],`

/** Builds it as the server is built. */
export async function buildNextVersion(): Promise<NextVersion> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-next-'))
  const server = at('apps', 'server')
  const entries = [
    'main.ts',
    'store/engine/connections/sqlite-worker.ts',
    'store/engine/connections/postgres-worker.ts',
    'operations/exports/store-thread.ts',
    'billing/tokenizer/tokenizer-worker.ts',
  ]
  const built = await Bun.build({
    entrypoints: entries.map((entry) => join(server, 'src', entry)),
    outdir: folder,
    naming: '[name].[ext]',
    target: 'bun',
    splitting: true,
    plugins: [nextVersion()],
  })
  if (!built.success) throw new Error(built.logs.join('\n'))
  return {
    program: join(folder, 'main.js'),
    version,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function nextVersion(): BunPlugin {
  const list = 'const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {'
  return {
    name: 'next-version',
    setup(build) {
      build.onLoad({ filter: /store\/schema\/migrate\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!text.includes(list)) throw new Error(`no list of migrations in ${path}`)
        return { contents: text.replace(list, `${list}\n${migration}`), loader: 'ts' }
      })
      build.onLoad({ filter: /apps\/server\/package\.json$/ }, ({ path }) => ({
        contents: JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }),
        loader: 'json',
      }))
    },
  }
}
