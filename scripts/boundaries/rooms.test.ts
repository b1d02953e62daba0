import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { edgesOf } from './graph.ts'
import { rooms, serverSources, upwardArrows } from './rooms.ts'
import { root } from './sources.ts'

const arrowsOf = (from: string, specifier: string) =>
  upwardArrows(edgesOf(new Map([[serverSources + from, `import '${specifier}'`]]), new Map()))

describe('upwardArrows', () => {
  const pairs = rooms.slice(1).map((lower, index) => ({ upper: rooms[index] ?? '', lower }))
  const fileIn = (room: string) => (room.endsWith('.ts') ? room : `${room}/a.ts`)
  const up = (room: string) => (room.endsWith('.ts') ? '.' : '..')

  for (const { upper, lower } of pairs)
    it(`runs from ${upper} to ${lower}, not back`, () => {
      expect(arrowsOf(fileIn(upper), `${up(upper)}/${fileIn(lower)}`)).toEqual([])
      expect(arrowsOf(fileIn(lower), `${up(lower)}/${fileIn(upper)}`)).toHaveLength(1)
    })

  it('lets a test look up', () => {
    expect(arrowsOf('lib/a.test.ts', '../http/app.ts')).toEqual([])
  })

  it('refuses an entry without a place in the order', () => {
    expect(arrowsOf('attic/a.ts', '../lib/random.ts')[0]).toContain('attic has no place')
  })
})

describe('rooms', () => {
  it('are the entries of the server, each folder with a README', () => {
    const entries = readdirSync(root + serverSources, { withFileTypes: true })
    expect(entries.map(({ name }) => name).toSorted()).toEqual(rooms.toSorted())
    const folders = entries.filter((entry) => entry.isDirectory())
    const hasReadme = (name: string) => readdirSync(root + serverSources + name).includes('README.md')
    expect(folders.filter(({ name }) => !hasReadme(name))).toEqual([])
  })

  it('are drawn in docs/architecture.md in their order', () => {
    const page = readFileSync(`${root}docs/architecture.md`, 'utf8')
    const drawing = page.slice(page.indexOf('\napps/server/src\n'), page.indexOf('\napps/web '))
    const drawn = [...drawing.matchAll(/^ {2}([a-z-]+(?:\.ts)?)\/? /gm)].map(([, name]) => name)
    expect(drawn).toEqual([...rooms])
  })
})
