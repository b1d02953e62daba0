import { openSlices } from '../../../bench/fleet/processor-slices.ts'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { hasPostgres, startPostgres } from '../postgres.ts'

/** Facts for a script about where it runs. */
export interface Surroundings {
  /** An empty folder of its own. */
  readonly folder: string
}

/** Run of a script on small data. */
export interface SmallRun {
  readonly args?: (surroundings: Surroundings) => readonly string[] | Promise<readonly string[]>
  /** Output of a script that has done its work. */
  readonly prints: RegExp
  /** A run of a minute or more waits for somebody who names it: `npm test -- operation/bench`. */
  readonly isLong?: true
  /** Set when this machine has what the script needs. */
  readonly needs?: boolean
}

const table = /^\|.*\|$/m
const canLoad = ['nginx', 'wrk'].every((name) => findTool(name as 'nginx' | 'wrk') !== undefined)
const rows = ['--rows', '300', '--users', '20']

/** Every file that `entryPoints` finds: a run, or the reason why none is here. */
export const scripts: Readonly<Record<string, SmallRun | string>> = {
  'bench/run.ts': { prints: table, isLong: true, needs: canLoad && hasPostgres() },
  'bench/fleet/costs.ts': {
    args: ({ folder }) => [`${folder}/costs.json`],
    prints: table,
    isLong: true,
    needs: canLoad && hasPostgres(),
  },
  'bench/fleet/cores.ts': {
    args: ({ folder }) => ['--file', `${folder}/cores.json`],
    prints: table,
    isLong: true,
    needs: canLoad && hasPostgres() && openSlices() !== undefined,
  },
  'bench/formats.ts': { prints: table },
  'bench/http.ts': { prints: table, needs: canLoad },
  'bench/http-relay.ts': 'bench/http.ts starts it',
  'bench/fill-log.ts': { args: ({ folder }) => [folder, ...rows], prints: /^$/ },
  'bench/log-index.ts': { args: () => rows, prints: table },
  'bench/log-pages.ts': {
    args: async () => [await emptyDatabase(), '--rows', '300', '--days', '2', '--users', '1200'],
    prints: table,
    needs: hasPostgres(),
  },
  'bench/stream-load.ts': 'bench/run.ts starts it',
  'bench/stream-upstream.ts': 'bench/run.ts starts it',
  'bench/task-upstream.ts': 'bench/run.ts starts it',
  'scripts/build.mjs': { prints: /^$/ },
  'scripts/check.mjs': 'every commit runs it',
  'scripts/dev.mjs': 'it serves until somebody ends it',
  'scripts/format.mjs': 'it rewrites the checkout; the check holds what it would write',
  'scripts/start.mjs': 'operation/npm-start runs it',
  'scripts/test.mjs': 'it runs this',
  'scripts/tool.mjs': { args: () => ['boundaries'], prints: /^tollgate: there is no program boundaries$/m },
  'scripts/boundaries/main.ts': 'the check that begins this run has run it',
  'scripts/boundaries/affected-main.ts': { args: () => ['HEAD'], prints: /"changed"/ },
  'scripts/docs/main.ts':
    'it writes into the checkout; scripts/docs/provider-pages.test.ts holds what it writes',
  'scripts/fuzz/main.ts': { args: () => ['1'], prints: /^\d+ bodies are read alike/ },
  'scripts/guard/main.mjs': 'operation/interrupted runs it',
  'scripts/migrations/former-schemas.ts': 'it writes into the checkout from the whole history',
  'scripts/migrations/main.ts': 'the check that begins this run has run it',
  'scripts/models/main.ts':
    'it writes into the checkout; scripts/models/refresh-table.test.ts holds what it writes',
  'scripts/release/main.ts': 'operation/ship/release builds a release; it runs every suite itself',
  'scripts/ship/binary-main.ts': 'operation/ship/binary builds the executables of every system',
  'scripts/ship/launcher.mjs': 'operation/ship/npm-package runs it',
  'scripts/ship/notices-main.ts': { args: ({ folder }) => [`${folder}/notices.txt`], prints: /^$/ },
  'scripts/ship/package-main.ts': 'operation/ship/npm-package packs and installs the package',
  'scripts/ship/runtimes-main.ts': 'the run itself brings runtimes by it before the suites',
  'scripts/stats/main.ts': 'the check that begins this run has run it',
  'scripts/trace/main.ts': { prints: /files run for one chat-stream call/ },
  'scripts/trace/count-functions.ts': 'scripts/trace/main.ts loads it into a server',
}

/** Scripts that package.json starts outside of `bench/` and `scripts/`. */
export const elsewhere: Readonly<Record<string, string>> = {
  'tests/clients/main.ts': 'it installs other programs from npm',
  'tests/frameworks/main.ts': 'it installs frameworks from PyPI and npm',
  'tests/replay/main.ts': 'it builds an earlier commit, and replays recordings that are not in the checkout',
  'tests/screenshots/main.ts': 'it draws every page of the console; suites of pages walk them',
  'tests/size/main.ts': 'console/every-visit measures the same pages',
  'tests/vitals/main.ts': 'it measures for minutes how quickly pages come',
  'tests/vitals/lists/main.ts': 'it fills long lists and visits them for minutes',
  'tests/walk/main.ts': 'operation/walk runs it',
}

const servers: { stop(): Promise<void> }[] = []

async function emptyDatabase(): Promise<string> {
  const postgres = await startPostgres()
  servers.push(postgres)
  return await postgres.createDatabase()
}

/** Ends what the runs needed. */
export async function stopServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop()
}
