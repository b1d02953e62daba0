import { describe, expect, it } from 'bun:test'
import { createResponseMemory } from './response-memory.ts'

describe('the responses in memory', () => {
  const memory = () => createResponseMemory({ limitBytes: 100, accountLimitBytes: 60, waitMs: 20 })

  it('hold no more than an account may, and no more than all may', async () => {
    const all = memory()
    const [first, second, other] = [all.enter(1), all.enter(1), all.enter(2)]
    expect(first.take(50)).toBeUndefined()
    expect(await second.take(20)).toBe('account')
    expect(await other.take(51)).toBe('all')
    expect(other.take(50)).toBeUndefined()
  })

  it('wait for room, and go on when there is some', async () => {
    const all = createResponseMemory({ limitBytes: 100, accountLimitBytes: 60, waitMs: 4000 })
    const [first, second] = [all.enter(1), all.enter(1)]
    first.take(50)
    const waiting = second.take(20)
    first.release()
    expect(await waiting).toBeUndefined()
    second.release()
    expect(all.enter(1).take(60)).toBeUndefined()
  })

  it('may become fewer', () => {
    const all = memory()
    const [first, second] = [all.enter(1), all.enter(1)]
    expect([first.set(50), second.set(20), first.set(40), second.set(20), first.set(50)]).toEqual([
      undefined,
      'account',
      undefined,
      undefined,
      'account',
    ])
  })

  it('release once', () => {
    const all = memory()
    const [first, second] = [all.enter(1), all.enter(1)]
    first.take(50)
    first.release()
    first.release()
    expect(second.take(60)).toBeUndefined()
  })
})
