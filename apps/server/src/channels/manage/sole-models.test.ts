import { expect, it } from 'bun:test'
import { countSoleModels } from './sole-models.ts'

const channel = (id: number, models: string, groups: string) => ({
  id,
  models: new Set(models.split(',')),
  groups: groups.split(','),
})

it('counts a model once that a channel alone serves to some group', () => {
  const counts = countSoleModels([
    channel(1, 'both,alone', 'default,vip'),
    channel(2, 'both', 'default'),
    channel(3, 'both', 'vip'),
    channel(4, 'both', 'gold'),
  ])
  expect([...counts].toSorted()).toEqual([
    [1, 1],
    [4, 1],
  ])
})
