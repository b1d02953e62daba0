import { describe, expect, it } from 'bun:test'
import { stoppedModels } from './channel-stops.ts'

const channel = (id: number, models: string, groups: string) => ({
  id,
  models: new Set(models.split(',')),
  groups: groups.split(','),
})
const channels = [
  channel(1, 'both,alone', 'default,vip'),
  channel(2, 'both', 'default'),
  channel(3, 'third', 'vip'),
]
const without = (...ids: number[]) =>
  stoppedModels(channels, (one) => (ids.includes(one.id) ? undefined : one))

describe('models that stop', () => {
  it('are those that no other channel serves the group', () => {
    expect(without(1)).toEqual([
      { model: 'alone', groups: ['default', 'vip'] },
      { model: 'both', groups: ['vip'] },
    ])
    expect(without(2)).toEqual([])
  })

  it('are counted over all channels that go together', () =>
    expect(without(1, 2).find(({ model }) => model === 'both')).toEqual({
      model: 'both',
      groups: ['default', 'vip'],
    }))

  it('are those that an edited channel lists no more, or for a group it leaves', () => {
    const edited = (models: string, groups: string) =>
      stoppedModels(channels, (one) => (one.id === 1 ? channel(1, models, groups) : one))
    expect(edited('both', 'default,vip')).toEqual([{ model: 'alone', groups: ['default', 'vip'] }])
    expect(edited('both,alone', 'default')).toEqual([
      { model: 'alone', groups: ['vip'] },
      { model: 'both', groups: ['vip'] },
    ])
    expect(edited('both,alone,more', 'default,vip,gold')).toEqual([])
  })
})
