import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small checkout whose console is "built" by copying one file; the modules under test find it by where they lie. */
const checkout = mkdtempSync(join(tmpdir(), 'tollgate-checkout-'))
const at = (path: string) => join(checkout, path)
const build = 'mkdir -p dist && cp src/main.tsx dist/index.html'
const tree = {
  'apps/web/package.json': JSON.stringify({ name: 'web', scripts: { build } }),
  'apps/web/src/main.tsx': 'first',
  'packages/api/src/index.ts': 'export {}',
  'bun.lock': '{}',
}

let ensureConsole: (say: (doing: string) => void) => Promise<void>
let stated: string[]
const ensure = () => ensureConsole((doing) => stated.push(doing))

function put(path: string, text: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
}

beforeAll(async () => {
  for (const folder of ['scripts/deadline', 'scripts/guard', 'scripts/lib', 'scripts/times'])
    cpSync(join(import.meta.dir, '../..', folder), at(folder), { recursive: true })
  mkdirSync(at('tools'))
  symlinkSync(join(import.meta.dir, '../../tools/bun'), at('tools/bun'))
  ensureConsole = (await import(at('scripts/lib/console.mjs'))).ensureConsole
})
beforeEach(async () => {
  for (const folder of ['apps', 'packages', 'node_modules'])
    rmSync(at(folder), { recursive: true, force: true })
  for (const [path, text] of Object.entries(tree)) put(path, text)
  stated = []
  await ensure()
  stated = []
})
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

const builtText = () => Bun.file(at('apps/web/dist/index.html')).text()

describe('ensureConsole', () => {
  it('builds a console that is missing', async () => {
    rmSync(at('apps/web/dist'), { recursive: true })
    await ensure()
    expect(stated).toEqual(['building the console'])
    expect(await builtText()).toBe('first')
  })

  it('leaves a console alone that is as new as its sources', async () => {
    await ensure()
    expect(stated).toEqual([])
  })

  it('builds again when a source of the console, of the contract or the lockfile changed', async () => {
    for (const path of ['apps/web/src/main.tsx', 'packages/api/src/index.ts', 'bun.lock']) {
      put(path, `changed ${path}`)
      await ensure()
    }
    expect(stated).toHaveLength(3)
    expect(await builtText()).toBe('changed apps/web/src/main.tsx')
  })

  it('builds again when a source was removed', async () => {
    put('apps/web/src/page.tsx', 'page')
    await ensure()
    rmSync(at('apps/web/src/page.tsx'))
    await ensure()
    expect(stated).toHaveLength(2)
  })

  it('does not build for new times on the same content, nor for tests', async () => {
    utimesSync(at('apps/web/src/main.tsx'), 1, 1)
    await ensure()
    put('apps/web/src/main.test.ts', 'a test')
    await ensure()
    expect(stated).toEqual([])
  })

  it('says in one line why a build failed, and tries again next time', async () => {
    put(
      'apps/web/package.json',
      JSON.stringify({ name: 'web', scripts: { build: 'echo "could not draw"; exit 1' } }),
    )
    await expect(ensure()).rejects.toThrow('the console could not be built: could not draw')
    put('apps/web/package.json', tree['apps/web/package.json'])
    await ensure()
    expect(stated).toHaveLength(2)
  })
})
