import { describe, expect, it } from 'bun:test'
import { providerFor } from '../registry.ts'
import { amount } from './balance.ts'

const nowMs = Date.UTC(2026, 2, 5, 12)

function balanceOf(type: number) {
  const provider = providerFor(type)
  if (provider?.balance === undefined) throw new Error(`type ${type} has no balance`)
  return { provider, query: provider.balance }
}

/** The addresses that are asked, given these responses, and what they say together. */
function ask(type: number, responses: readonly unknown[], baseUrl?: string) {
  const { provider, query } = balanceOf(type)
  const target = { baseUrl: baseUrl ?? provider.defaultBaseUrl, key: 'k', openaiOrganization: '', other: '' }
  const urls: string[] = []
  for (let known = 0; ; known += 1) {
    const next = query.next(target, responses.slice(0, known), nowMs)
    if (next === undefined) break
    urls.push(next.url)
  }
  return { urls, balance: query.decode(responses) }
}

describe('balances', () => {
  it("are what is left of a month's limit, or of a trial of 100 days", () => {
    const month = ask(1, [{ hard_limit_usd: 120, has_payment_method: true }, { total_usage: 4550 }])
    expect(month).toEqual({
      urls: [
        'https://api.openai.com/v1/dashboard/billing/subscription',
        'https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-03-01&end_date=2026-03-05',
      ],
      balance: 74.5,
    })
    const trial = ask(1, [{ hard_limit_usd: 5 }, { total_usage: 600 }])
    expect(trial.urls[1]).toEndWith('usage?start_date=2025-11-25&end_date=2026-03-05')
    expect(trial.balance).toBe(-1)
  })

  it('are asked beside the address of a custom channel, where it has a sibling', () => {
    const { urls } = ask(8, [{}, {}], 'https://relay.example/openai/v1/chat/completions')
    expect(urls[0]).toBe('https://relay.example/openai/v1/dashboard/billing/subscription')
    expect(ask(8, [], 'https://relay.example/{model}/chat/completions').urls).toEqual([])
  })

  it.each<[number, string, unknown, number]>([
    [
      10,
      'https://aiproxy.io/api/report/getUserOverview',
      { success: true, data: { totalPoints: 12.5 } },
      12.5,
    ],
    [12, 'https://api.api2gpt.com/dashboard/billing/credit_grants', { total_remaining: 3 }, 3],
    [13, 'https://api.aigc2d.com/dashboard/billing/credit_grants', { total_available: 0 }, 0],
    [
      25,
      'https://api.moonshot.cn/v1/users/me/balance',
      { code: 0, data: { available_balance: 49.58 }, status: true },
      49.58,
    ],
    [40, 'https://api.siliconflow.cn/v1/user/info', { code: 20000, data: { totalBalance: '88.88' } }, 88.88],
    [
      43,
      'https://api.deepseek.com/user/balance',
      {
        balance_infos: [
          { currency: 'USD', total_balance: '1.00' },
          { currency: 'CNY', total_balance: '110.00' },
        ],
      },
      110,
    ],
  ])('of type %d are read at %s', (type, url, body, balance) => {
    expect(ask(type, [body])).toEqual({ urls: [url], balance })
  })

  it('of several currencies are the funded one, and the own one of the vendor when all or none are', () => {
    const wallets = (...amounts: readonly [currency: string, total: string][]) =>
      ask(43, [{ balance_infos: amounts.map(([currency, total_balance]) => ({ currency, total_balance })) }])
        .balance
    expect(wallets(['USD', '3.00'], ['CNY', '0.00'])).toBe(3)
    expect(wallets(['CNY', '-0.20'], ['USD', '3.00'])).toBe(3)
    expect(wallets(['USD', '0.00'], ['CNY', '7.00'])).toBe(7)
    expect(wallets(['USD', '-1.00'], ['CNY', '0.00'])).toBe(0)
    expect(wallets(['USD', '4.00'])).toBe(4)
  })

  it.each([1, 8, 10, 12, 13, 40, 43])('of type %d are unknown in a response of another shape', (type) => {
    for (const body of [null, [], 'x', {}, { error: {} }, { code: 1, data: {} }, { success: false }])
      expect(ask(type, [body, body], 'https://own.example/v1/chat/completions').balance).toBeUndefined()
  })

  it.each([10, 12, 13, 40, 43])('of type %d are asked at the address that the operator gave', (type) => {
    const { urls } = ask(type, [{}], 'https://own.example')
    expect(urls.map((url) => new URL(url).host)).toEqual(['own.example'])
  })

  it('are numbers, or texts of them', () => {
    expect([1, '1.5', ' ', '', 'x', null, Number.NaN, '1e999'].map(amount)).toEqual([
      1,
      1.5,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
