import { describe, expect, it } from 'bun:test'
import type { ModelChannelCost } from '@tollgate/api'
import { newWindow } from '../../components/prices/time-form.ts'
import { editedRow } from './edited-row.ts'
import { entriesChange, entryProblems, newStep, startEntryForms } from './entry-form.ts'
import { previewMargin, priceInForce, standardOf } from './margin-preview.ts'
import { costProblems, costsChange, priceForm } from './price-form.ts'

const list = { input: 2, output: 8, cache_read: 0.5 }
const channel = (fields: Partial<ModelChannelCost> = {}): ModelChannelCost => ({
  model_name: 'm',
  channel: 1,
  channel_name: 'one',
  upstream_model: 'up',
  cost_factor: 1,
  source: 'list',
  quota_type: 0,
  model_ratio: 1,
  completion_ratio: 4,
  cache_ratio: 0.25,
  model_price: 0,
  losing_groups: [],
  list_cost: list,
  ...fields,
})

describe('a price while it is typed', () => {
  it('has the default of its kind where it is blank', () => {
    const form = priceForm({ input: 3, audio_input: 12 })
    expect(standardOf('input', form, 4)).toBeUndefined()
    expect(standardOf('output', form, 4)).toEqual({ ratio: 4, base: 'input' })
    expect(standardOf('audio_output', form, 4)).toEqual({ ratio: 1, base: 'audio_input' })
    expect(standardOf('image_output', form, 4)).toEqual({ ratio: 1, base: 'output' })
    const kinds = ['input', 'output', 'cache_read', 'cache_write', 'audio_output', 'image_output'] as const
    expect(kinds.map((kind) => priceInForce(kind, form, 4))).toEqual([3, 12, 3, 3.75, 12, 12])
    expect(priceInForce('output', priceForm({}), 4)).toBeUndefined()
  })

  it('leaves in a group what the dearest channel does not take', () => {
    const margin = (price: number, groupRatio: number, costs: readonly ModelChannelCost[], forms = {}) =>
      previewMargin('output', price, groupRatio, costs, forms, 4)
    expect(margin(10, 1, [channel(), channel({ cost_factor: 0.5 })])).toEqual({
      price: 10,
      cost: 8,
      margin: 2,
      rate: 0.2,
    })
    expect(margin(10, 0.5, [channel()])?.margin).toBe(-3)
    // A typed cost counts at once; a part that is left blank keeps the vendor's ratio to input.
    expect(margin(10, 1, [channel()], { up: priceForm({ input: 1 }) })?.cost).toBe(4)
    expect(margin(10, 1, [channel()], { up: priceForm({ input: 1, output: 3 }) })?.cost).toBe(3)
    expect(margin(10, 1, [channel()], { up: priceForm({ call: 1 }) })).toBeUndefined()
    const { list_cost: _none, ...unknown } = channel()
    expect(margin(10, 1, [unknown])).toBeUndefined()
  })
})

describe('the entries of a sheet', () => {
  const stored = { tools: { web_search: 10 }, steps: [{ above: 1000, input: 2, output: 1.5 }] }
  const forms = startEntryForms(stored)

  it('are saved where they differ, with what they were made on', () => {
    expect(entriesChange(stored, forms)).toEqual({})
    const next = {
      ...forms,
      tools: { web_search: '', file_search: '2.5' },
      steps: [],
      tiers: { batch: '0.5' },
    }
    expect(entriesChange(stored, next)).toEqual({
      entries: { tools: { file_search: 2.5 }, tiers: { batch: 0.5 }, steps: null },
      entries_base: stored,
    })
  })

  it('name the kind that is wrong', () => {
    expect(entryProblems(forms)).toEqual([])
    expect(entryProblems({ ...forms, tools: { web_search: 'x' }, tiers: { batch: '-1' } })).toEqual([
      'tools',
      'tiers',
    ])
    const steps = [newStep, { ...newStep, above: '10' }]
    expect(entryProblems({ ...forms, steps })).toEqual(['steps'])
    expect(entryProblems({ ...forms, steps: steps.slice(1) })).toEqual([])
  })
})

describe('the row that an edit was made on', () => {
  const found = { price: { input: 1 }, entries: { tools: { web_search: 1 } }, costs: [channel()] } as never

  it('is as the person found it, with what they have seen since', () => {
    expect(editedRow(found, [])).toBe(found)
    const seen = [
      { field: 'price', base: {}, current: { input: 2 }, sent: {} },
      { field: 'ToolPrice', entry: 'm', base: null, current: null, sent: null },
      { field: 'ModelCost', entry: 'up', base: {}, current: { input: 3 }, sent: {} },
    ]
    expect(editedRow(found, seen)).toMatchObject({
      price: { input: 2 },
      entries: { tools: undefined },
      costs: [{ own_cost: { input: 3 } }],
    })
  })
})

describe('the costs of a sheet', () => {
  it('are saved where they differ; a blank one is the vendor’s', () => {
    const costs = [channel({ own_cost: { input: 1 } })]
    const costTimes = { up: { zone: 'UTC', windows: [] } }
    const night = { up: { zone: 'UTC', windows: [newWindow] } }
    expect(costsChange(costs, { costs: { up: priceForm({ input: 1 }) }, costTimes: night })).toMatchObject([
      { price: { input: 1 }, times: { zone: 'UTC' }, times_base: null },
    ])
    expect(costsChange(costs, { costs: { up: priceForm({ input: 1 }) }, costTimes })).toEqual([])
    expect(costsChange(costs, { costs: { up: priceForm({}) }, costTimes })).toEqual([
      { upstream_model: 'up', price: null, base: { input: 1 } },
    ])
    expect(costProblems({ up: priceForm({}) })).toEqual({})
    expect(costProblems({ up: { ...priceForm({}), output: '3' } })).toEqual({ up: 'input' })
  })
})
