import { describe, expect, it } from 'bun:test'
import { createEventBus } from './event-bus.ts'

interface Events {
  readonly changed: { readonly id: number }
}

describe('an event bus', () => {
  it('runs listeners at once, in order, and goes on after one that throws', () => {
    const errors: unknown[] = []
    const heard: string[] = []
    const bus = createEventBus<Events>((error) => errors.push(error))
    bus.subscribe('changed', ({ id }) => heard.push(`first ${id}`))
    bus.subscribe('changed', () => {
      throw new Error('broken')
    })
    const end = bus.subscribe('changed', ({ id }) => heard.push(`last ${id}`))
    bus.publish('changed', { id: 1 })
    expect(heard).toEqual(['first 1', 'last 1'])
    end()
    bus.publish('changed', { id: 2 })
    expect(heard).toEqual(['first 1', 'last 1', 'first 2'])
  })

  it('settles when the work of every listener has ended, and reports what failed', async () => {
    const errors: unknown[] = []
    const bus = createEventBus<Events>((error) => errors.push(error))
    const work = Promise.withResolvers<void>()
    let isSettled = false
    bus.subscribe('changed', () => work.promise)
    bus.subscribe('changed', () => Promise.reject(new Error('broken')))
    const settled = bus.publishAndSettle('changed', { id: 1 }).then(() => {
      isSettled = true
    })
    await Promise.resolve()
    expect(isSettled).toBe(false)
    work.resolve()
    await settled
    expect(errors).toEqual([new Error('broken')])
  })
})
