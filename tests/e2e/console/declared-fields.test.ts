import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { at, root } from '../../../scripts/lib/root.mjs'
import { applyDiff, diffsIn } from '../../support/fields/recorded-diffs.ts'

setDefaultTimeout(deadline(300_000))

/** Files that the tests below run, and those that they import. */
const copied = [
  'bun.lock',
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'bunfig.toml',
  'apps',
  'packages',
  'scripts',
  'tests',
]
/** Guards that need no running gateway. */
const unitGuards = [
  'apps/web/src/features/written-fields.test.ts',
  'apps/web/src/i18n/texts.test.ts',
  'apps/server/src/operations/import',
  'packages/api/src/settings',
  'packages/api/src/calls',
  'packages/api/src/openapi',
  'packages/providers/src/registry.test.ts',
  'packages/providers/src/profile/profiles.test.ts',
]
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tollgate-declared-'))
  for (const name of copied)
    cpSync(at(name), join(copy, name), { recursive: true, verbatimSymlinks: true, filter: isSource })
  for (const name of ['node_modules', 'tools']) symlinkSync(at(name), join(copy, name))
  const guide = readFileSync(at('CONTRIBUTING.md'), 'utf8')
  const [provider = []] = diffsIn(guide, 'Add a provider')
  const [field, option, call] = ['a field', 'an option', 'a call of the console'].map((subject) =>
    diffsIn(guide, `Add ${subject}`),
  )
  const diffs = [...(field ?? []), provider, ...(option ?? []), ...(call ?? [])]
  expect(diffs).toHaveLength(6)
  for (const diff of diffs) applyDiff(copy, diff)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Packages of a workspace are links; what was built is not copied. */
function isSource(path: string): boolean {
  return !path.endsWith('/dist') && existsSync(path)
}

const bun = process.execPath

/** The guard starts what the copy's sources build, and not the executable of this run. */
const { TOLLGATE_TEST_PROGRAM: _ofThisRun, ...ownProgram } = process.env

async function run(...command: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await $`${command}`.cwd(copy).env(ownProgram).nothrow().quiet()
  return exitCode === 0 ? '' : `${stdout}${stderr}`.slice(-4000)
}

describe('what CONTRIBUTING adds, in a copy of the sources', () => {
  it('needs no other place: types and every guard hold', async () => {
    expect(copy).not.toBe(root)
    expect(await run(bun, 'scripts/migrations/main.ts', '--record')).toBe('')
    for (const project of ['packages/api', 'packages/providers', 'apps/server', 'apps/web'])
      expect(await run(join(copy, 'node_modules/.bin/tsc'), '-p', project, '--noEmit')).toBe('')
    expect(await run(bun, 'test', ...unitGuards)).toBe('')
    // All of it: what names the fields of records needs what the walks before it have recorded.
    expect(await run(bun, 'test', 'tests/e2e/console/fields.test.ts')).toBe('')
  })
})
