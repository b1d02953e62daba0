import { describe, expect, it } from 'bun:test'
import { type Attempt, needsKeys, nextStepOf } from './attempt.ts'

const failed = (channel: number, key = 0): Attempt => ({
  channel,
  key,
  ms: 3,
  status: 500,
  kind: 'upstream_bug',
})
const worked: Attempt = { channel: 2, key: 0, ms: 9, status: 200, kind: 'ok' }

describe('attempts', () => {
  it('say why each was left: another key, another channel, or none left', () => {
    const attempts = [failed(1), failed(1, 1), worked]
    expect(attempts.map((_, index) => nextStepOf(attempts, index))).toEqual([
      'otherKey',
      'otherChannel',
      'answered',
    ])
    expect(nextStepOf([failed(1)], 0)).toBe('gaveUp')
  })

  it('name keys where a channel was tried with more than one', () => {
    expect(needsKeys([failed(1), worked])).toBe(false)
    expect(needsKeys([failed(1), failed(1, 1)])).toBe(true)
    expect(needsKeys([failed(1, 2)])).toBe(true)
  })
})
