import { describe, expect, it } from 'bun:test'
import { type Minute, verdictOf } from './verdict.ts'

const flat: Minute = { megabytes: 250, descriptors: 34, calls: 900, failures: 1, p50Ms: 2, p99Ms: 12 }
const minutes = (count: number, of: (index: number) => Partial<Minute>) =>
  Array.from({ length: count }, (_, index) => ({ ...flat, ...of(index) }))
const missed = (of: readonly Minute[]) => verdictOf(of).flatMap(({ what, holds }) => (holds ? [] : [what]))

describe('the verdict of a soak', () => {
  it('holds where memory rises while caches fill, and then goes up and down', () => {
    const warm = minutes(30, (index) => ({ megabytes: index < 3 ? 100 + index : 250 + (index % 2) * 60 }))
    expect(missed(warm)).toEqual([])
  })

  it('names what grows over the thirds', () => {
    const growing = minutes(30, (index) => ({ megabytes: 250 + index * 5, descriptors: 30 + index }))
    expect(missed(growing)).toEqual([
      'Resident memory, last third against first',
      'Open descriptors, last third against first',
    ])
  })

  it('counts calls that failed', () => {
    expect(missed(minutes(3, () => ({ failures: 9 })))).toEqual(['Calls that failed for their callers'])
  })
})
