import { describe, expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { type ModelTable, modelTable } from '../../packages/api/src/models/model-table.ts'
import { readPriceFile } from './price-file.ts'
import { formatTable, refreshTable } from './refresh-table.ts'

const table: ModelTable = {
  date: '2026-01-01',
  sources: { Maker: 'https://maker.example/prices' },
  releases: [],
  surcharges: {
    tools: [{ names: ['one*'], vendor: 'Maker', prices: { web_search: 10 } }],
    tiers: [],
    steps: [],
  },
  models: [
    {
      names: ['one', 'one-dated'],
      vendor: 'Maker',
      context: 1000,
      can: ['chat'],
      price: { input: 2, output: 4 },
    },
    { names: ['two'], vendor: 'Maker' },
  ],
}
const costs = {
  one: { input_cost_per_token: 1e-6, output_cost_per_token: '0.000004', max_input_tokens: 2000 },
  unknown: { input_cost_per_token: 5e-6 },
  two: { mode: 'chat', max_output_tokens: 'as you like' },
}

describe('refreshing the table of models', () => {
  it('takes the figures of models that it knows, and says which changed', () => {
    const { table: next, changes } = refreshTable(table, readPriceFile(costs), '2026-02-02')
    expect(next).toEqual({
      date: '2026-02-02',
      sources: table.sources,
      surcharges: table.surcharges,
      releases: table.releases,
      models: [
        { names: ['one'], vendor: 'Maker', context: 2000, can: ['chat'], price: { input: 1, output: 4 } },
        {
          names: ['one-dated'],
          vendor: 'Maker',
          context: 1000,
          can: ['chat'],
          price: { input: 2, output: 4 },
        },
        { names: ['two'], vendor: 'Maker' },
      ],
    })
    expect(changes).toHaveLength(1)
    expect(changes[0]).toStartWith('one: ')
  })

  it('reads the list of a platform, too', () => {
    const pricing = { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000125' }
    const list = { data: [{ id: 'maker/one', context_length: 128_000, pricing }] }
    expect(readPriceFile(list).get('one')).toEqual({
      context: 128_000,
      price: { input: 2.5, output: 10, cacheRead: 1.25 },
    })
  })

  it('refuses a file of another kind, and invalid figures', () => {
    for (const content of [[], 'prices', { one: 2 }, { one: { input_cost_per_token: -1 } }])
      expect(() => readPriceFile(content)).toThrow()
  })

  it('leaves the table as it is when nothing changes', () => {
    const file = new URL('../../packages/api/src/models/models.json', import.meta.url)
    const { table: next, changes } = refreshTable(modelTable, new Map(), modelTable.date)
    expect(changes).toEqual([])
    expect(formatTable(next)).toBe(readFileSync(file, 'utf8'))
  })
})
