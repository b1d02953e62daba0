import { describe, expect, it } from 'bun:test'
import { pricingRow } from '@tollgate/api'
import { buildSnapshot } from '../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { settingsInMemory } from '../settings/test-support/settings-in-memory.ts'
import { type PriceListReader, priceList } from './price-list.ts'

const visitor: PriceListReader = {
  groups: new Set(['default']),
  seesAllGroups: false,
  acceptsUnpriced: false,
  isVisitor: true,
}

const channels = buildSnapshot(
  [
    routedChannel({
      id: 1,
      models: new Set(['gpt-4o', 'dall-e-3', 'home-made']),
      groups: ['default', 'vip'],
    }),
    routedChannel({ id: 2, models: new Set(['gpt-4o', 'staff-model']), groups: ['staff'] }),
    routedChannel({ id: 3, models: new Set(['switched-off']), status: 'disabled' }),
  ],
  [],
)

async function listFor(reader: Partial<PriceListReader> = {}, stored: Record<string, string> = {}) {
  const { current } = await settingsInMemory({
    ModelRatio: '{"gpt-4o":1.25,"staff-model":3}',
    CacheRatio: '{"gpt-4o":0.5}',
    ModelPrice: '{"dall-e-3":0.04}',
    AudioRatio: '{"gpt-4o":16}',
    AudioCompletionRatio: '{}',
    ...stored,
  })
  const rows = priceList(current, channels, { ...visitor, ...reader })
  return new Map(rows.map((row) => [row.model_name, row]))
}

describe('a price list', () => {
  it('has every model that calls may use, by name, and for who sets prices every model that a channel serves, in rows that fit the contract', async () => {
    expect([...(await listFor()).keys()]).toEqual(['dall-e-3', 'gpt-4o', 'staff-model'])
    const rows = await listFor({ setsPrices: true })
    expect([...rows.keys()]).toEqual(['dall-e-3', 'gpt-4o', 'home-made', 'staff-model'])
    for (const row of rows.values()) expect(pricingRow.parse(row)).toEqual(row)
  })

  it('says all that the price of a token is made of', async () => {
    const { context_size, max_output_tokens, capabilities, released, ...row } =
      (await listFor()).get('gpt-4o') ?? {}
    expect(row).toEqual({
      model_name: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      completion_ratio: 4,
      model_price: 0,
      cache_ratio: 0.5,
      create_cache_ratio: 1.25,
      create_cache_1h_ratio: 2,
      audio_ratio: 16,
      audio_completion_ratio: 1,
      tool_prices: { web_search: 10, web_search_preview: 25, file_search: 2.5, code_interpreter: 30 },
      tier_ratios: { priority: 1.7 },
      enable_groups: ['default'],
      available: true,
      supported_endpoint_types: ['openai'],
      owner_by: 'OpenAI',
    })
    expect([released, context_size, max_output_tokens, capabilities]).toEqual([
      '2024-05-13',
      128_000,
      16_384,
      ['chat', 'tools', 'vision'],
    ])
  })

  it('says what long prompts, tiers and tools cost, as the operator has it', async () => {
    const steps = [{ above: 1000, input: 2, output: 1.5, cached: 1 }]
    const rows = await listFor(
      {},
      {
        LengthPrice: JSON.stringify({ 'gpt-4*': steps }),
        TierRatio: '{"staff-model":{"flex":0.5}}',
        ToolPrice: '{"*":{"x_search":5},"dall-e-3":{"x_search":5}}',
      },
    )
    expect(rows.get('gpt-4o')).toMatchObject({ length_steps: steps, tool_prices: { x_search: 5 } })
    expect(rows.get('gpt-4o')).not.toHaveProperty('tier_ratios')
    expect(rows.get('staff-model')).toMatchObject({ tier_ratios: { flex: 0.5 } })
    expect(rows.get('dall-e-3')).not.toHaveProperty('tool_prices')
  })

  it('says the price of a call, and no ratios, where that is the price', async () => {
    expect((await listFor()).get('dall-e-3')).toEqual({
      model_name: 'dall-e-3',
      quota_type: 1,
      model_ratio: 0,
      completion_ratio: 0,
      model_price: 0.04,
      enable_groups: ['default'],
      available: true,
      supported_endpoint_types: ['image-generation', 'openai'],
      owner_by: 'OpenAI',
      capabilities: ['image'],
    })
  })

  it('says what the price of a model that makes videos is for', async () => {
    const VideoPrice = '{"dall-e-3":{"unit":"second","resolutions":{"1080p":1.5}}}'
    expect((await listFor({}, { VideoPrice })).get('dall-e-3')).toMatchObject({
      model_price: 0.04,
      video: { unit: 'second', resolutions: { '1080p': 1.5 } },
    })
  })

  it('names no group that is closed to the reader, and administrators see all', async () => {
    const rows = await listFor()
    expect(rows.get('staff-model')).toMatchObject({ enable_groups: [], available: false })
    expect(JSON.stringify([...rows.values()])).not.toContain('"staff"')
    const forStaff = await listFor({ groups: new Set(['default', 'staff']) })
    expect(forStaff.get('staff-model')).toMatchObject({ enable_groups: ['staff'], available: true })
    const forAdmin = await listFor({ seesAllGroups: true })
    expect(forAdmin.get('gpt-4o')?.enable_groups).toEqual(['default', 'staff', 'vip'])
    expect(forAdmin.get('staff-model')).toMatchObject({ enable_groups: ['staff'], available: false })
  })

  it('shows no price of an unpriced model, but to those who accept the ratio it would have', async () => {
    const unpriced = { model_ratio: 0, unpriced: true as const, owner_by: '', available: false }
    expect((await listFor()).get('home-made')).toBeUndefined()
    expect((await listFor({ seesAllGroups: true })).get('home-made')).toBeUndefined()
    expect((await listFor({ setsPrices: true })).get('home-made')).toMatchObject(unpriced)
    const accepting = { acceptsUnpriced: true, isVisitor: false }
    const accepted = (await listFor(accepting)).get('home-made')
    expect(accepted).toMatchObject({ unpriced: true, model_ratio: 37.5, available: true })
    const selfUse = { SelfUseModeEnabled: 'true' }
    const forVisitor = (await listFor({}, selfUse)).get('home-made')
    expect(forVisitor).toMatchObject({ ...unpriced, available: true })
    const forUser = (await listFor({ isVisitor: false }, selfUse)).get('home-made')
    expect(forUser).toMatchObject({ unpriced: true, model_ratio: 37.5, available: true })
  })

  it('is worked out once for a state of settings and channels and a kind of reader, and anew for another', async () => {
    const settings = await settingsInMemory()
    const first = priceList(settings.current, channels, visitor)
    expect(priceList(settings.current, channels, { ...visitor, groups: new Set(['default']) })).toBe(first)
    expect(priceList(settings.current, channels, { ...visitor, seesAllGroups: true })).not.toBe(first)
    const fewer = buildSnapshot([routedChannel({ id: 1, models: new Set(['gpt-4o']) })], [])
    expect(priceList(settings.current, fewer, visitor)).toHaveLength(1)
    await settings.set('ModelRatio', '{"gpt-4o":7}')
    const [row] = priceList(settings.current, fewer, visitor)
    expect(row?.model_ratio).toBe(7)
  })
})
