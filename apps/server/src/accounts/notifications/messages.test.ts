import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { changeText } from '../quota-text.ts'
import {
  channelNotice,
  channelTestNotice,
  quotaWarning,
  reversalNotice,
  reversalNoticeToRoot,
} from './messages.ts'
import { fillSlots } from './notification.ts'
import { notificationMail } from './notifier.ts'

const settings = { ...defaults, ServerAddress: 'https://gate.example' }
const channel = { id: 7, name: '<b>one</b>', reason: 'http 401: "no"', code: 'x', params: {} }
const run = { manual: true, cancelled: false, total: 30, tested: 30 }

function textOf({ template, values }: { template: string; values: readonly string[] }): string {
  return fillSlots(template, values)
}

describe('messages', () => {
  it('state the balance, as money or as points, and where to top up', () => {
    const inMoney = quotaWarning(250_000, settings)
    expect(inMoney).toMatchObject({
      type: 'quota_exceed',
      values: ['$0.500000', 'https://gate.example/topup', '$0.500000', 'https://gate.example/topup'],
    })
    expect(quotaWarning(-1, settings).values[0]).toBe('-$0.000002')
    expect(quotaWarning(250_000, { ...settings, DisplayInCurrencyEnabled: false }).values[0]).toBe('250000')
    expect(textOf(quotaWarning(1, { ...settings, ServerAddress: '' }))).not.toContain('http')
  })

  it('name the channel, and its status in their type, and state the reason', () => {
    const disabled = channelNotice({ ...channel, status: 'auto-disabled' })
    const enabled = channelNotice({ ...channel, status: 'enabled' })
    expect([disabled.type, enabled.type]).toEqual(['channel_update_7_3', 'channel_update_7_1'])
    expect(textOf(disabled)).toContain('http 401')
    const slow = { code: 'too_slow', params: { seconds: 9, limit: 5 } }
    expect(textOf(channelNotice({ ...channel, ...slow, status: 'auto-disabled' }))).toContain('测试耗时 9 秒')
  })

  it('say by how much a refund or a dispute changed the balance, to the payer and to root', () => {
    const order = { userId: 3, username: 'ann', tradeNo: 'USR3NO1' }
    const taken = { ...order, cause: 'dispute', amount: -250_000 } as const
    const provided = { ...order, cause: 'refund', amount: 250_000 } as const
    expect(textOf(reversalNotice(taken, settings))).toBe(
      'Your balance changed by -$0.500000 because the payment is disputed. Order: USR3NO1\n' +
        '您的额度变动：-$0.500000，原因：该笔支付存在争议，额度已冻结。订单号：USR3NO1',
    )
    expect(textOf(reversalNoticeToRoot(provided, settings))).toBe(
      'The balance of ann changed by +$0.500000 because the refund failed. Order: USR3NO1\n' +
        '用户 ann 的额度变动：+$0.500000，原因：退款失败，额度已退回。订单号：USR3NO1',
    )
    // Each payment has a type of its own, so that the limit of a type drops no notice of another payment.
    expect(reversalNotice(taken, settings).type).toBe('payment_reversed_USR3NO1')
  })

  it('name some of the channels that failed a test, and how many did', () => {
    const failed = Array.from({ length: 25 }, (_, id) => ({ id, name: `channel ${id}` }))
    const notice = channelTestNotice({ ...run, failed })
    expect(notice.type).toBe('channel_test')
    expect(textOf(notice)).toContain('25')
    expect(textOf(notice)).toContain('channel 19 (#19), …')
    expect(textOf(notice)).toContain('channel 18 (#18)、channel 19 (#19)、…')
    expect(textOf(notice)).not.toContain('channel 20')
  })

  it('are in both languages and have a value for each slot', () => {
    const all = [
      quotaWarning(1, settings),
      quotaWarning(1, defaults),
      channelNotice({ ...channel, status: 'enabled' }),
      channelNotice({ ...channel, status: 'auto-disabled' }),
      channelTestNotice({ ...run, failed: [] }),
      channelTestNotice({ ...run, failed: [], cancelled: true }),
    ]
    for (const { title, template, values } of all) {
      expect(title).toMatch(/[a-z].*\p{Script=Han}/u)
      expect(template).toMatch(/[a-z].*\n.*\p{Script=Han}/u)
      expect(template.split('{{value}}')).toHaveLength(values.length + 1)
    }
  })

  it('become mails with escaped values and working links', () => {
    const mail = notificationMail(channelNotice({ ...channel, status: 'auto-disabled' }), 'ann@example.org')
    expect(mail.to).toBe('ann@example.org')
    expect(mail.html).toContain('&lt;b&gt;one&lt;/b&gt;')
    expect(mail.html).not.toContain('<b>')
    expect(notificationMail(quotaWarning(1, settings), 'a').html).toContain(
      '<a href="https://gate.example/topup">https://gate.example/topup</a>',
    )
  })
})

describe('a change of a balance', () => {
  it('has its sign, and no decimals that say nothing', () => {
    const inDollars = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }
    const texts = [2_500_000, -500, 0, 1].map((quota) => changeText(quota, inDollars))
    expect(texts).toEqual(['+$5.00', '-$0.001', '$0.00', '+$0.000002'])
    expect(changeText(-7, { ...inDollars, DisplayInCurrencyEnabled: false })).toBe('-7')
  })
})
