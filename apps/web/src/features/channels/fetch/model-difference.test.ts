import { describe, expect, it } from 'bun:test'
import { modelDifference, withDifference } from './model-difference.ts'

const none: ReadonlyMap<string, string> = new Map()

describe('the models of an upstream and of a channel', () => {
  it('differ by what is new and by what is gone', () => {
    expect(modelDifference(['a', 'b', 'c'], ['b', 'x'], none)).toEqual({ added: ['a', 'c'], removed: ['x'] })
  })

  it('are compared by the names that the upstream gets', () => {
    const mapping = new Map([
      ['public', 'middle'],
      ['middle', 'a'],
      ['lost', 'gone'],
      ['round', 'trip'],
      ['trip', 'round'],
    ])
    expect(modelDifference(['a'], ['a', 'public', 'lost', 'round'], mapping)).toEqual({
      added: [],
      removed: ['lost', 'round'],
    })
  })

  it('are applied in one step, in their order', () => {
    expect(withDifference(['b', 'x', 'y'], { added: ['c', 'b'], removed: ['x'] })).toEqual(['b', 'y', 'c'])
  })
})
