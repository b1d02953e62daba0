import { describe, expect, it } from 'bun:test'
import { affectedBy, reachedTests } from './affected.ts'
import { edgesOf } from './graph.ts'
import { runTimeEdgesOf } from './run-time-edges.ts'

const workspaces = new Map([['@tollgate/api', 'packages/api/src/index.ts']])
const sources = new Map([
  [
    'apps/server/src/http/mount.ts',
    `import '@tollgate/api'\nnew Worker(new URL('./worker.ts', import.meta.url))`,
  ],
  ['apps/server/src/http/mount.test.ts', `import './mount.ts'`],
  ['apps/server/src/http/worker.ts', ''],
  ['apps/server/src/lib/ids.test.ts', `import './ids.ts'`],
  ['apps/server/src/lib/ids.ts', ''],
  ['packages/api/src/index.ts', `export * from './call.ts'`],
  ['packages/api/src/call.ts', ''],
  ['packages/api/src/call.test.ts', `import './call.ts'`],
  ['scripts/lib/run.mjs', ''],
  ['scripts/lib/console.test.ts', ''],
  [
    'tests/e2e/billing/money.test.ts',
    `import '../../../apps/server/src/lib/ids.ts'\nimport '../../support/server.ts'`,
  ],
  ['tests/support/server.ts', ''],
])

const edges = edgesOf(sources, workspaces)
const runTimeEdges = runTimeEdgesOf(sources, workspaces)
const affected = (...changed: string[]) => affectedBy(changed, [...sources.keys()], edges, runTimeEdges)

describe('affectedBy', () => {
  it('finds what imports a change, through workspaces too', () => {
    expect(affected('packages/api/src/call.ts')).toEqual({
      affected: [
        'packages/api/src/call.ts',
        'packages/api/src/index.ts',
        'packages/api/src/call.test.ts',
        'apps/server/src/http/mount.ts',
        'apps/server/src/http/mount.test.ts',
      ],
      tests: ['apps/server/src/http/mount.test.ts', 'packages/api/src/call.test.ts'],
      suites: [],
    })
  })

  it('finds what starts it as a worker', () => {
    expect(affected('apps/server/src/http/worker.ts').tests).toEqual(['apps/server/src/http/mount.test.ts'])
  })

  it('finds what imported a deleted file, and nothing else', () => {
    const without = [...sources.keys()].filter((path) => path !== 'apps/server/src/lib/ids.ts')
    expect(affectedBy(['apps/server/src/lib/ids.ts'], without, edges, runTimeEdges).tests).toEqual([
      'apps/server/src/lib/ids.test.ts',
    ])
  })

  it('counts whole-system tests as affected, but not among the unit tests', () => {
    const { affected: all, tests } = affected('apps/server/src/lib/ids.ts')
    expect(all).toContain('tests/e2e/billing/money.test.ts')
    expect(tests).toEqual(['apps/server/src/lib/ids.test.ts'])
  })

  it('finds the suites that import changed test code, and no suite for a product source', () => {
    expect(affected('tests/support/server.ts').suites).toEqual(['tests/e2e/billing/money.test.ts'])
    expect(affected('tests/e2e/billing/money.test.ts').suites).toEqual(['tests/e2e/billing/money.test.ts'])
    expect(affected('apps/server/src/lib/ids.ts').suites).toEqual([])
  })

  it('runs the tests that need a change, and compiles what has a type of it too', () => {
    const both = new Map([
      ['packages/api/src/call.ts', ''],
      ['apps/web/src/row.ts', `import type { Call } from '../../../packages/api/src/call.ts'`],
      ['apps/web/src/row.test.ts', `import './row.ts'`],
      ['apps/web/src/send.test.ts', `import { send } from '../../../packages/api/src/call.ts'`],
    ])
    expect(
      affectedBy(
        ['packages/api/src/call.ts'],
        [...both.keys()],
        edgesOf(both, workspaces),
        runTimeEdgesOf(both, workspaces),
      ),
    ).toEqual({
      affected: [
        'packages/api/src/call.ts',
        'apps/web/src/row.ts',
        'apps/web/src/send.test.ts',
        'apps/web/src/row.test.ts',
      ],
      tests: ['apps/web/src/send.test.ts'],
      suites: [],
    })
  })

  it('runs the tests beside a source, which may read it by its name', () => {
    expect(affected('scripts/lib/run.mjs').tests).toEqual(['scripts/lib/console.test.ts'])
  })

  it('runs the tests of a workspace when a file without importers changed, unless it is prose', () => {
    expect(affected('packages/api/src/fixtures/a.json').tests).toEqual(['packages/api/src/call.test.ts'])
    expect(affected('packages/api/README.md').tests).toEqual([])
    expect(affected('docs/architecture.md').tests).toEqual([])
  })

  it.each(['bun.lock', 'package.json', 'tsconfig.base.json', 'tools/bun/package.json'])(
    'runs everything when %s changed',
    (path) => {
      expect(affected(path).tests).toHaveLength(4)
      expect(affected(path).affected).toHaveLength(sources.size)
    },
  )
})

describe('reachedTests', () => {
  it('counts for each source the tests that its change runs', () => {
    const counted = ['packages/api/src/call.ts', 'apps/server/src/lib/ids.ts', 'tests/support/server.ts']
    const expected = counted.map((path) => affected(path).tests.length)
    expect(reachedTests(counted, [...sources.keys()], runTimeEdges)).toEqual(expected)
    expect(expected).toEqual([2, 1, 0])
  })
})
