import { describe, expect, it } from 'bun:test'
import { RecentCharges } from './recent-charges.ts'

describe('RecentCharges', () => {
  it('knows nothing before the first charge', () => {
    expect(new RecentCharges(10).recall(1, 'gpt-4o')).toBe(0)
  })

  it('remembers per user and model', () => {
    const memory = new RecentCharges(10)
    memory.learn(1, 'gpt-4o', 500)
    expect(memory.recall(1, 'gpt-4o')).toBe(500)
    expect(memory.recall(2, 'gpt-4o')).toBe(0)
    expect(memory.recall(1, 'o1')).toBe(0)
  })

  it('rises to a dear call at once and forgets it in steps', () => {
    const memory = new RecentCharges(10)
    memory.learn(1, 'm', 100)
    memory.learn(1, 'm', 1000)
    expect(memory.recall(1, 'm')).toBe(1000)
    memory.learn(1, 'm', 100)
    expect(memory.recall(1, 'm')).toBe(775)
    for (let call = 0; call < 60; call += 1) memory.learn(1, 'm', 100)
    expect(memory.recall(1, 'm')).toBe(100)
  })

  it('is bounded', () => {
    const memory = new RecentCharges(3)
    for (const user of [1, 2, 3, 4]) memory.learn(user, 'm', user)
    expect(memory.recall(1, 'm')).toBe(0)
    expect(memory.recall(4, 'm')).toBe(4)
  })
})
