import { expect, it } from 'bun:test'
import { calls, type PricingRow } from '@tollgate/api'
import { describePage, type PageTest, screen, waitFor, within } from '../../test-support/render-page.tsx'

const load = () => import('./page.tsx')

const model = (model_name: string, fields: Partial<PricingRow> = {}): PricingRow => ({
  model_name,
  available: true,
  enable_groups: ['default', 'vip'],
  quota_type: 0,
  supported_endpoint_types: ['openai'],
  owner_by: '',
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  ...fields,
})

function serve({ gateway }: PageTest, rows: readonly PricingRow[], text = ''): void {
  gateway.on(calls.status.homePage, text)
  gateway.on(calls.pricing.list, [...rows], () => ({
    group_ratio: { default: 1, vip: 0.5 },
    usable_group: {},
    user_group: 'vip',
    supported_endpoint: {},
  }))
}

describePage('the home page', load, (page) => {
  it('lists what can be called, at the prices of the reader’s group, and leads to as many as the list of prices has', async () => {
    serve(page, [
      model('gpt-4o'),
      model('an-image', { quota_type: 1, model_price: 0.04 }),
      model('switched-off', { available: false }),
      model('without-a-price', { unpriced: true }),
      ...Array.from({ length: 8 }, (_, index) => model(`small-${index}`, { model_ratio: 0.01 })),
    ])
    await page.open('/', { as: 'guest' })
    await page.reads('$1.25 in · $5.00 out')
    await page.reads('$0.02 a call')
    await page.lacks('switched-off')
    await page.lacks('without-a-price')
    expect(screen.getByRole('link', { name: 'All 12 models' }).getAttribute('href')).toBe('/pricing')
    expect(within(screen.getByRole('main')).queryByText('Azure OpenAI')).toBeNull()
  })

  it('is where “/” leads for people who are logged in too', async () => {
    serve(page, [model('gpt-4o')])
    await page.open('/', { language: 'zh' })
    await page.reads('输入 $1.25 · 输出 $5.00')
    expect(page.address).toBe('/')
    expect(screen.getByRole('link', { name: '创建令牌。' }).getAttribute('href')).toStartWith('/token/add')
  })

  it('says that nothing is served yet, and leads an administrator to the first channel', async () => {
    serve(page, [])
    await page.open('/')
    await page.reads('No model can be called here yet.')
    screen.getByRole('link', { name: 'Add a channel.' })
  })

  it('frames the operator’s page where its text is an address', async () => {
    serve(page, [], 'https://home.invalid/start')
    await page.open('/', { as: 'guest' })
    await waitFor(() =>
      expect(document.querySelector('iframe')?.getAttribute('src')).toBe('https://home.invalid/start'),
    )
  })
})
