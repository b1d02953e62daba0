import { describe, expect, it } from 'bun:test'
import { cyclesIn } from './cycles.ts'

function cyclesOf(graph: Readonly<Record<string, readonly string[]>>) {
  return cyclesIn(Object.keys(graph), (module) => graph[module] ?? []).map((members) => [...members].sort())
}

describe('cyclesIn', () => {
  it('finds nothing where knowledge goes one way, diamonds included', () => {
    expect(cyclesOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([])
  })

  it('finds a circle over several modules, entered from outside', () => {
    expect(cyclesOf({ start: ['a'], a: ['b'], b: ['c'], c: ['a'] })).toEqual([['a', 'b', 'c']])
  })

  it('distinguishes two circles', () => {
    expect(cyclesOf({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] })).toEqual([
      ['c', 'd'],
      ['a', 'b'],
    ])
  })

  it('finds a module that knows itself', () => {
    expect(cyclesOf({ a: ['a'] })).toEqual([['a']])
  })
})
