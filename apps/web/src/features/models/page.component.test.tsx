import { expect, it } from 'bun:test'
import {
  type AuditRecordRow,
  type ChannelStops,
  calls,
  type ModelChannelCost,
  type PriceSave,
  type ServedModel,
} from '@tollgate/api'
import { describePage, type PageTest, screen, waitFor, within } from '../../test-support/render-page.tsx'

const model: ServedModel = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  cache_ratio: 0.5,
  supported_endpoint_types: ['openai'],
  owner_by: 'OpenAI',
  channels: [{ id: 1, name: 'Main' }],
  price: { input: 2.5, cache_read: 1.25 },
  list_price: { input: 2.5, output: 10, cache_read: 1.25 },
  entries: {},
  inherited_entries: { tools: { web_search: 10 } },
  list_entries: { tools: { web_search: 10 }, tiers: { priority: 1.7 } },
  group_ratios: { default: 1, vip: 0.5 },
  default_completion_ratio: 4,
}
const cost: ModelChannelCost = {
  model_name: 'gpt-4o',
  channel: 1,
  channel_name: 'Main',
  upstream_model: 'gpt-4o',
  cost_factor: 1,
  source: 'list',
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.5,
  model_price: 0,
  list_cost: { input: 2.5, output: 10, cache_read: 1.25 },
  losing_groups: [],
}

function serve({ gateway }: PageTest): void {
  gateway.on(calls.modelPrices.list, [model])
  gateway.on(calls.modelPrices.refused, [])
  gateway.on(calls.margins.costs, [cost])
  gateway.on(calls.modelPrices.save, undefined as never)
  gateway.on(calls.channels.stops, unconcerned)
}

const unconcerned: ChannelStops = { models: [], model_count: 0, calls: 0, users: 0, attempts: 0 }
const tier = { model: 'gpt-4o', group: '', part: 'TierRatio', unit: 'factor' } as const
const doubled = { model: 'gpt-4o', part: 'output', unit: 'million' } as const
const record: AuditRecordRow = {
  id: 31,
  created_at: 1,
  actor_id: 1,
  actor_name: 'root',
  actor_role: 100,
  address: '',
  action: 'model.price',
  target_kind: 'model',
  target_id: 0,
  target_name: 'gpt-4o',
  before: '{"CompletionRatio":{"gpt-4o":4}}',
  after: '{"CompletionRatio":{"gpt-4o":8}}',
  reverts: 0,
  reverted_by: 0,
}

const load = () => import('./page.tsx')

describePage('the sheet of a model', load, (page) => {
  /** The sheet, once its fields are there. */
  async function sheet() {
    await screen.findByText(/^Vendor \$2\.50|^官方 \$2\.50/)
    return within(screen.getByRole('dialog'))
  }

  it('is one dialog while it loads and afterwards, which its first field has the focus in', async () => {
    serve(page)
    const list = Promise.withResolvers<ServedModel[]>()
    page.gateway.on(calls.modelPrices.list, () => list.promise)
    await page.open('/models?price=gpt-4o')
    const loading = await screen.findByRole('dialog', { name: 'Set price' })
    list.resolve([model])
    const loaded = await screen.findByRole('dialog', { name: 'Edit price' })
    expect(loaded === loading).toBe(true)
    await waitFor(() => expect(document.activeElement?.closest('form') !== null).toBe(true))
  })

  it('names defaults, the vendor’s figures and the margin while somebody types', async () => {
    serve(page)
    await page.open('/models?price=gpt-4o')
    const dialog = await sheet()
    await page.reads('Default: 4 times the input price')
    await page.reads('Cost $10.00, margin $0.00 (0 %)')
    const [output] = await dialog.findAllByLabelText('Output')
    await page.user.type(output as HTMLElement, '8')
    await waitFor(() => expect(dialog.getByText(/margin -\$2\.00/).className).toContain('text-bad'))
    await page.reads('Default: $10.00, from an entry for several models · Vendor $10.00')
  })

  it('saves all of it by one call, with what it was made on', async () => {
    serve(page)
    await page.open('/models?price=gpt-4o')
    const dialog = await sheet()
    await page.user.click(await dialog.findByText('Provider tools'))
    await page.user.type(await dialog.findByRole('textbox', { name: 'web_search' }), '12')
    await page.user.click(dialog.getByText('Service tiers, batch, speed, region'))
    await page.user.type(dialog.getByRole('textbox', { name: 'priority' }), '2')
    await page.user.click(dialog.getByRole('button', { name: /^Save price/ }))
    await waitFor(() => expect(page.gateway.bodies(calls.modelPrices.save)).toHaveLength(1))
    expect(page.gateway.bodies(calls.modelPrices.save)).toEqual([
      {
        model_name: 'gpt-4o',
        price: { input: 2.5, cache_read: 1.25 },
        base: { input: 2.5, cache_read: 1.25 },
        entries: { tools: { web_search: 12 }, tiers: { priority: 2 } },
        entries_base: {},
      },
    ])
    // The question before it was put about the same parts.
    const [saved] = page.gateway.bodies(calls.modelPrices.save)
    const { base: _base, entries_base: _entries, ...intended } = saved as PriceSave
    expect<unknown>(page.gateway.bodies(calls.channels.stops)).toEqual([{ price: intended }])
  })

  it('says before a price changes who pays how much more, leaves it for a no, and takes it back afterwards', async () => {
    serve(page)
    page.gateway.on(calls.channels.stops, {
      ...unconcerned,
      charges: [
        { ...doubled, group: 'default', before: 10, after: 20 },
        { ...doubled, group: 'vip', before: 5, after: 10 },
        { ...tier, within: 'priority', before: null, after: 2 },
        { ...doubled, group: 'gone', before: 5, after: null },
        {
          ...doubled,
          group: 'other',
          part: 'call',
          unit: 'second',
          unit_before: 'call',
          before: 1,
          after: 1,
        },
      ],
      charge_count: 5,
      calls: 120,
      users: 3,
      spend: { before: 1_000_000, after: 1_750_000 },
    })
    page.gateway.on(calls.auditLog.list, {
      items: [{ ...record, id: 32, target_name: 'another' }, record],
      total: 2,
      page: 1,
      page_size: 20,
    })
    page.gateway.on(calls.auditLog.revert, undefined)
    await page.open('/models?price=gpt-4o')
    const dialog = await sheet()
    const [output] = await dialog.findAllByLabelText('Output')
    await page.user.type(output as HTMLElement, '20')
    await page.press(/^Save price/, dialog)
    const question = await screen.findByRole('alertdialog', { name: 'Change the price of gpt-4o?' })
    expect(question.textContent).toContain('gpt-4o, output (default): $10 → $20 per million tokens')
    expect(question.textContent).toContain('Service tier of gpt-4o, priority: none → × 2')
    expect(question.textContent).toContain('gpt-4o, output (gone): $5 per million tokens → none')
    expect(question.textContent).toContain('gpt-4o (other): $1 per call → $1 per second')
    expect(question.textContent).toContain('In the last hour 120 calls by 3 users used them')
    expect(question.textContent).toContain('They cost $2.00; by the new price it would be about $1.50 more')
    await page.press('Cancel', within(question))
    expect(page.gateway.bodies(calls.modelPrices.save)).toEqual([])
    expect((output as HTMLInputElement).value).toBe('20')
    await page.press(/^Save price/, dialog)
    await page.confirm('Save price')
    await page.press('Undo')
    await page.reads('Change undone')
    expect(page.gateway.bodies(calls.channels.stops)[0]).toEqual({
      price: { model_name: 'gpt-4o', price: { input: 2.5, output: 20, cache_read: 1.25 } },
    })
    expect(page.gateway.sent(calls.auditLog.revert)[0]?.params).toEqual({ id: '31' })
  })

  it('keeps what was typed, and names the section that is wrong', async () => {
    serve(page)
    await page.open('/models?price=gpt-4o', { language: 'zh' })
    const dialog = await sheet()
    await page.user.click(await dialog.findByText('服务等级、批量、速度、地区'))
    await page.user.type(await dialog.findByRole('textbox', { name: 'priority' }), 'x')
    await page.user.click(dialog.getByRole('button', { name: /保存价格/ }))
    await page.reads('倍率须为 0 到 1,000 的数字')
    expect(page.gateway.sent(calls.modelPrices.save)).toEqual([])
    expect((dialog.getByRole('textbox', { name: 'priority' }) as HTMLInputElement).value).toBe('x')
  })
})
