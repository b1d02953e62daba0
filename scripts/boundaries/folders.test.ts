import { describe, expect, it } from 'bun:test'
import { circleViolations, folderCircles, mutualPairs } from './folders.ts'
import { edgesOf } from './graph.ts'

/** The edges of files by what each imports, with paths in one folder `src`. */
function edges(files: Readonly<Record<string, readonly string[]>>) {
  const sources = Object.entries(files).map(([path, imports]) => {
    const up = '../'.repeat(path.split('/').length - 1) || './'
    return [`src/${path}`, imports.map((target) => `import '${up}${target}'`).join('\n')] as const
  })
  return edgesOf(new Map(sources), new Map())
}

const pair = edges({ 'a/one.ts': ['b/two.ts'], 'b/other.ts': ['a/any.ts'] })
const triangle = edges({ 'a/1.ts': ['b/1.ts'], 'b/2.ts': ['c/2.ts'], 'c/3.ts': ['a/3.ts'] })
const recorded = (...folders: string[]) => [{ parent: 'src', folders, arrows: folders.length }]

describe('folderCircles', () => {
  it('finds folders whose files import each other, though no two files do', () => {
    expect(folderCircles(pair)).toEqual(recorded('a', 'b'))
    expect(mutualPairs(pair)).toBe(1)
  })

  it('finds a circle over three folders, which is no pair', () => {
    expect(folderCircles(triangle)).toEqual(recorded('a', 'b', 'c'))
    expect(mutualPairs(triangle)).toBe(0)
  })

  it('finds a circle at any depth, in the folder where the paths part', () => {
    const deep = edges({ 'x/a/deep/1.ts': ['x/b/2.ts'], 'x/b/far/3.ts': ['x/a/4.ts'] })
    expect(folderCircles(deep)).toEqual([{ parent: 'src/x', folders: ['a', 'b'], arrows: 2 }])
  })

  it('counts neither files beside the folders, nor tests, nor their support', () => {
    expect(folderCircles(edges({ 'a/1.ts': ['top.ts'], 'top.ts': ['a/2.ts'] }))).toEqual([])
    expect(folderCircles(edges({ 'a/1.ts': ['b/1.ts'], 'b/1.test.ts': ['a/1.ts'] }))).toEqual([])
    expect(folderCircles(edges({ 'a/1.ts': ['b/1.ts'], 'b/test-support/2.ts': ['a/1.ts'] }))).toEqual([])
  })
})

describe('circleViolations', () => {
  it('accepts a recorded circle', () => {
    expect(circleViolations(pair, recorded('a', 'b'))).toEqual([])
  })

  it('names the imports of a circle that is not recorded', () => {
    const [text] = circleViolations(pair, [])
    expect(text).toContain('no-folder-circles')
    expect(text).toContain('src/a/one.ts:1 knows src/b/two.ts')
    expect(text).toContain('src/b/other.ts:1 knows src/a/any.ts')
  })

  it('refuses one that has grown by a folder or by an arrow', () => {
    expect(circleViolations(triangle, recorded('a', 'b')).join()).toContain('no-folder-circles')
    const tangled = edges({ 'a/1.ts': ['b/1.ts', 'c/1.ts'], 'b/2.ts': ['c/2.ts'], 'c/3.ts': ['a/3.ts'] })
    expect(circleViolations(tangled, recorded('a', 'b', 'c')).join()).toContain('no-folder-circles')
  })

  it('asks to record what is left of a circle that has shrunk or is gone', () => {
    expect(circleViolations(pair, recorded('a', 'b', 'c')).join()).toContain('circles-shrink')
    expect(circleViolations([], recorded('a', 'b')).join()).toContain('circles-shrink')
  })
})
