import { describe, expect, it } from 'bun:test'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import { valuesAfter } from '../option-edit.ts'
import { changedCharges } from './changed-charges.ts'

const before: SettingValues = {
  ...defaults,
  ModelRatio: { house: 1, other: 3 },
  CompletionRatio: { house: 4 },
  CacheRatio: { house: 0.5 },
  ModelPrice: { film: 0.5 },
  GroupRatio: { default: 1, vip: 0.5, unused: 1 },
}
const served = new Map([
  ['default', new Set(['house', 'film'])],
  ['vip', new Set(['house', 'other'])],
])
const rows = (edits: Parameters<typeof valuesAfter>[1]) =>
  changedCharges(before, valuesAfter(before, edits), served).map(
    ({ model, group, part, unit, before: old, after }) => [model, group, part, unit, old, after],
  )

describe('charges that a change alters', () => {
  it('are named for each group that reaches the model, with its ratio and unit', () => {
    expect(rows([{ key: 'ModelRatio', entries: { house: 2 } }])).toEqual([
      ['house', 'default', 'input', 'million', 2, 4],
      ['house', 'default', 'output', 'million', 8, 16],
      ['house', 'vip', 'input', 'million', 1, 2],
      ['house', 'vip', 'output', 'million', 4, 8],
    ])
    expect(rows([{ key: 'ModelPrice', entries: { film: 1 } }])).toEqual([
      ['film', 'default', 'call', 'call', 0.5, 1],
    ])
  })

  it('have a part of their own where it does not follow the input', () => {
    expect(rows([{ key: 'CacheRatio', entries: { house: 1 } }])).toEqual([
      ['house', 'default', 'cache_read', 'million', 1, 2],
      ['house', 'vip', 'cache_read', 'million', 0.5, 1],
    ])
  })

  it('are one for all models of a group whose ratio changes, and none of a group that serves nothing', () => {
    expect(rows([{ key: 'GroupRatio', entries: { vip: 2, unused: 3 } }])).toEqual([
      ['', 'vip', 'GroupRatio', 'factor', 0.5, 2],
    ])
    expect(rows([{ key: 'GroupRatio', entries: { vip: null } }])).toEqual([])
  })

  it('rise most at the top, what was free before all, and are none for a first or a last price', () => {
    expect(
      rows([
        { key: 'ModelRatio', entries: { house: 1.5 } },
        { key: 'GroupRatio', entries: { default: 4 } },
      ]).map(([model, group, part]) => [model, group, part].join(' ')),
    ).toEqual([
      'house default input',
      'house default output',
      ' default GroupRatio',
      'house vip input',
      'house vip output',
    ])
    expect(rows([{ key: 'ModelRatio', entries: { house: null, fresh: 1 } }])).toEqual([])
  })
})
