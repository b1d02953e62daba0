import { describe, expect, it } from 'bun:test'
import type { ServedModel } from '@tollgate/api'
import { channelsOf, listedModels, modelRows, vendorsOf } from './model-rows.ts'

const served = (model_name: string, fields: Partial<ServedModel> = {}): ServedModel => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  completion_ratio: 2,
  default_completion_ratio: 1,
  model_price: 0,
  owner_by: 'OpenAI',
  channels: [{ id: 1, name: 'main' }],
  supported_endpoint_types: [],
  price: { input: 2 },
  entries: {},
  inherited_entries: {},
  list_entries: {},
  group_ratios: {},
  ...fields,
})

const rows = modelRows(
  [
    served('b-model', { model_ratio: 3, channels: [{ id: 2, name: 'extra' }] }),
    served('a-model'),
    served('painter', { quota_type: 1, model_ratio: 0, owner_by: '' }),
    served('no-price', { unpriced: true, model_ratio: 0 }),
    served('wanted', { unpriced: true, model_ratio: 0 }),
  ],
  [{ model_name: 'wanted', count: 7, last_at: 1 }],
  [],
)
const names = (...args: Parameters<typeof listedModels> extends [unknown, ...infer Rest] ? Rest : never) =>
  listedModels(rows, ...args).map(({ model_name }) => model_name)

describe('the list of models', () => {
  it('begins with those without a price, and of these with the ones that callers ask for', () => {
    expect(names({}, undefined)).toEqual(['wanted', 'no-price', 'a-model', 'b-model', 'painter'])
    expect(names({ state: 'unpriced' }, undefined)).toEqual(['wanted', 'no-price'])
  })

  it('sorts by a price, with those that have none at the end', () => {
    const descending = { column: 'input', descending: true }
    expect(names({}, descending).slice(0, 2)).toEqual(['b-model', 'a-model'])
    expect(names({}, { ...descending, descending: false }).slice(0, 2)).toEqual(['a-model', 'b-model'])
  })

  it('is narrowed by words, vendor and channel, which it names', () => {
    expect(names({ keyword: 'OPENAI b-' }, undefined)).toEqual(['b-model'])
    expect(names({ channel: 2 }, undefined)).toEqual(['b-model'])
    expect(names({ vendor: 'Nobody' }, undefined)).toEqual([])
    expect(vendorsOf(rows)).toEqual(['OpenAI'])
    expect(channelsOf(rows).map(({ name }) => name)).toEqual(['extra', 'main'])
  })
})
