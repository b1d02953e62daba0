import { describe, expect, it } from 'bun:test'
import { runTimeEdgesOf } from './run-time-edges.ts'

const workspaces = new Map([['@tollgate/api', 'api/index.ts']])
const api = {
  'api/index.ts': `export * from './calls.ts'
    export { one, two as second } from './numbers.ts'
    export * as words from './words.ts'
    export type { Shape } from './shapes.ts'`,
  'api/calls.ts': `export const call = 1\nexport * from './more.ts'`,
  'api/more.ts': `export { deep as default, deep as more } from './deep.ts'`,
  'api/deep.ts': `export const deep = 1`,
  'api/numbers.ts': `import { deep } from './deep.ts'\nexport const one = deep, two = 2`,
  'api/words.ts': '',
  'api/shapes.ts': 'export interface Shape {}\nexport const square = {}',
}

/** Lists what `app.ts` needs when it has this source. */
function needsOf(source: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const files = new Map(Object.entries({ ...api, ...more, 'app.ts': source }))
  return runTimeEdgesOf(files, workspaces)
    .filter(({ from }) => from === 'app.ts')
    .map(({ to }) => to)
}
const behindAll = ['api/index.ts', 'api/calls.ts', 'api/numbers.ts', 'api/words.ts']

describe('runTimeEdgesOf', () => {
  it.each([
    [
      'a name that the barrel lists',
      `import { one } from '@tollgate/api'`,
      ['api/index.ts', 'api/numbers.ts'],
    ],
    ['one under another name', `import { second } from '@tollgate/api'`, ['api/index.ts', 'api/numbers.ts']],
    [
      'one of those it passes on together',
      `import { call } from '@tollgate/api'`,
      ['api/index.ts', 'api/calls.ts'],
    ],
    [
      'one that such a module passes on',
      `import { more } from '@tollgate/api'`,
      ['api/index.ts', 'api/calls.ts'],
    ],
    [
      'all of a module under one name',
      `import { words } from '@tollgate/api'`,
      ['api/index.ts', 'api/words.ts'],
    ],
    ['the default of a barrel', `import deep from './api/more.ts'`, ['api/more.ts', 'api/deep.ts']],
    [
      'a name beside a type',
      `import { one, type Shape } from '@tollgate/api'`,
      ['api/index.ts', 'api/numbers.ts'],
    ],
    ['a type', `import type { Shape } from '@tollgate/api'`, []],
    ['types alone', `import { type Shape } from '@tollgate/api'`, []],
    ['a type inside of a type', `type Row = import('@tollgate/api').Shape`, []],
    ['what is no barrel', `import { one } from './api/numbers.ts'`, ['api/numbers.ts']],
    [
      'the platform and other packages',
      `import { join } from 'node:path'\nimport z from 'zod'`,
      ['node:path', 'npm:zod'],
    ],
  ])('leads to the module that has %s', (_what, source, expected) => {
    expect(needsOf(source)).toEqual(expected)
  })

  it.each([
    ['an import for its effect', `import '@tollgate/api'`],
    ['a namespace', `import * as api from '@tollgate/api'`],
    ['a lazy import', `const load = () => import('@tollgate/api')`],
    ['a name that is found nowhere', `import { lost } from '@tollgate/api'`],
  ])('leads to every module behind the barrel for %s', (_what, source) => {
    expect(needsOf(source)).toEqual(behindAll)
  })

  it('leads through every barrel on the way', () => {
    const more = { 'api/all.ts': `export * from './index.ts'` }
    expect(needsOf(`import { one } from './api/all.ts'`, more)).toEqual([
      'api/all.ts',
      'api/index.ts',
      'api/numbers.ts',
    ])
  })

  it('leads to what is started as a worker', () => {
    expect(needsOf(`new Worker(new URL('./api/numbers.ts', import.meta.url))`)).toEqual(['api/numbers.ts'])
  })

  it('leads through what a file with statements of its own passes on, and not from a barrel', () => {
    expect(needsOf(`export { one } from '@tollgate/api'\nexport const own = 1`)).toEqual([
      'api/index.ts',
      'api/numbers.ts',
    ])
    expect(needsOf(`export { one } from '@tollgate/api'`)).toEqual([])
    expect(needsOf(`export * from '@tollgate/api'\nconst own = 1`)).toEqual(behindAll)
  })

  it('do not lead from the routes of the console to the pages that they load when one is opened', () => {
    const lazy = `import './search.ts'\nexport const page = () => import('../features/page.tsx')`
    const needsIn = (path: string) => runTimeEdgesOf(new Map([[path, lazy]]), workspaces).map(({ to }) => to)
    expect(needsIn('apps/web/src/routes/routes.ts')).toEqual(['apps/web/src/routes/search.ts'])
    expect(needsIn('apps/web/src/lib/lazy.ts')).toContain('apps/web/src/features/page.tsx')
  })
})
