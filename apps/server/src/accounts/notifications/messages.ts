import { channelReasonText, isChannelReasonCode, type Language, listText } from '@tollgate/api'
import { channelStatuses } from '@tollgate/api/roles'
import type { SettingValues } from '@tollgate/api/settings'
import type {
  ChannelStatusChanged,
  ChannelTestFinished,
  KeyFrozen,
  PaymentRefused,
  PaymentReversed,
} from '../../store/change-events.ts'
import type { Quota } from '../../store/units.ts'
import { type QuotaFormat, quotaText } from '../quota-text.ts'
import type { Notification } from './notification.ts'

type Visible = QuotaFormat & Pick<SettingValues, 'ServerAddress'>

/** A balance that fell below its owner's warning threshold. */
export function quotaWarning(balance: Quota, settings: Visible): Notification {
  const left = quotaText(balance, settings)
  const about = {
    type: 'quota_exceed',
    title: 'Your quota is about to run out / 您的额度即将用尽',
  }
  // Without an address of the site there is nothing to link to.
  if (settings.ServerAddress === '')
    return {
      ...about,
      template:
        'Your quota is about to run out: {{value}} is left. Please top up in time.\n您的额度即将用尽，剩余额度：{{value}}，请及时充值。',
      values: [left, left],
    }
  const link = `${settings.ServerAddress}/topup`
  return {
    ...about,
    template:
      'Your quota is about to run out: {{value}} is left. Please top up in time: {{value}}\n您的额度即将用尽，剩余额度：{{value}}，请及时充值：{{value}}',
    values: [left, link, left, link],
  }
}

/** The gateway took a channel out of service, or put it back. */
export function channelNotice(changed: ChannelStatusChanged): Notification {
  const { id, name, status, reason } = changed
  const channel = `${name} (#${id})`
  const type = `channel_update_${id}_${channelStatuses[status]}`
  const values = [channel, reason, channel, reasonInChinese(changed)]
  if (status === 'enabled')
    return {
      type,
      title: `Channel ${channel} is enabled again / 通道 ${channel} 已被启用`,
      template:
        'The channel {{value}} is in service again: {{value}}\n通道 {{value}} 已恢复启用，原因：{{value}}',
      values,
    }
  return {
    type,
    title: `Channel ${channel} was disabled / 通道 ${channel} 已被禁用`,
    template:
      'The channel {{value}} was taken out of service: {{value}}\n通道 {{value}} 已被自动禁用，原因：{{value}}',
    values,
  }
}

function reasonInChinese({ reason, code, params }: ChannelStatusChanged): string {
  return isChannelReasonCode(code) ? channelReasonText({ code, params }, 'zh') : reason
}

/** Most names in a notice of a run; the console lists them all. */
const maxNamed = 20

/** A test of all channels ended. */
export function channelTestNotice({ tested, total, failed, cancelled }: ChannelTestFinished): Notification {
  const names = failed.slice(0, maxNamed).map(({ id, name }) => `${name} (#${id})`)
  const named = failed.length > maxNamed ? [...names, '…'] : names
  const valuesIn = (language: Language) => [
    `${tested} / ${total}`,
    String(failed.length),
    listText(named, language),
  ]
  return {
    type: 'channel_test',
    title: cancelled
      ? 'The test of all channels was cancelled / 通道测试已取消'
      : 'The test of all channels has ended / 通道测试已完成',
    template:
      'Channels tested: {{value}}; failed: {{value}} {{value}}\n已测试通道：{{value}}；失败：{{value}} {{value}}',
    values: [...valuesIn('en'), ...valuesIn('zh')],
  }
}

/** Reasons for a change of the balance, in both languages. */
const reversalTexts = {
  refund: {
    taken: ['the payment was refunded', '该笔支付已退款'],
    given: ['the refund failed', '退款失败，额度已退回'],
  },
  dispute: {
    taken: ['the payment is disputed', '该笔支付存在争议，额度已冻结'],
    given: ['the dispute ended', '争议已结束，额度已退回'],
  },
} as const

/** Notifies the payer that a refund or a dispute moved their balance. */
export function reversalNotice(reversed: PaymentReversed, settings: Visible): Notification {
  const { amount, because, order } = reversalValues(reversed, settings)
  return {
    type: `payment_reversed_${order}`,
    title:
      reversed.amount < 0
        ? 'Your balance was reduced / 您的额度已扣减'
        : 'Your balance was restored / 您的额度已恢复',
    template:
      'Your balance changed by {{value}} because {{value}}. Order: {{value}}\n您的额度变动：{{value}}，原因：{{value}}。订单号：{{value}}',
    values: [amount, because[0], order, amount, because[1], order],
  }
}

/** Notifies the super admin, with the payer's name. */
export function reversalNoticeToRoot(reversed: PaymentReversed, settings: Visible): Notification {
  const { amount, because, order } = reversalValues(reversed, settings)
  const { username } = reversed
  return {
    type: `payment_reversed_${order}`,
    title: `A payment of ${username} changed / 用户 ${username} 的支付发生变动`,
    template:
      'The balance of {{value}} changed by {{value}} because {{value}}. Order: {{value}}\n用户 {{value}} 的额度变动：{{value}}，原因：{{value}}。订单号：{{value}}',
    values: [username, amount, because[0], order, username, amount, because[1], order],
  }
}

/** Texts of what froze a key, in both languages. */
const freezeTexts = {
  administrator: ['an administrator froze it', '已被管理员冻结'],
  leak: ['it was found in public', '已在公开位置被发现'],
} as const

/** Notifies the owner that a key of theirs is refused from now on. */
export function frozenKeyNotice(frozen: KeyFrozen): Notification {
  const [en, zh] = freezeTexts[frozen.cause]
  const reason = (text: string) => (frozen.note === '' ? text : `${text}: ${frozen.note}`)
  const key = `${frozen.name} (sk-${frozen.key})`
  return {
    type: `key_frozen_${frozen.id}`,
    title: 'Your API key was frozen / 您的 API 令牌已被冻结',
    template:
      'Calls with your key {{value}} are refused from now on, because {{value}}. Create another key for your programs, and ask an administrator where this is a mistake.\n您的令牌 {{value}} 的调用将被拒绝，原因：{{value}}。请为您的程序创建新的令牌；如有疑问，请联系管理员。',
    values: [key, reason(en), key, reason(zh)],
  }
}

/** Notifies the super admin of a key that a secret scanner found. */
export function leakedKeyNotice({ id, name, key, username, note }: KeyFrozen): Notification {
  const values = [`${name} (sk-${key})`, username, note]
  return {
    type: `key_leaked_${id}`,
    title: `A key of ${username} was found in public / 用户 ${username} 的令牌被公开`,
    template:
      'A secret scanner found the key {{value}} of {{value}} at {{value}}. It is frozen; its owner was notified.\n密钥扫描发现令牌 {{value}}（用户 {{value}}）出现在 {{value}}。该令牌已冻结，并已通知其所有者。',
    values: [...values, ...values],
  }
}

/** Notifies the super admin of a payment that has the number of an order and is not that order's. */
export function refusedPaymentNotice({ tradeNo, provider, payment, mismatch }: PaymentRefused): Notification {
  const values = [provider, payment, tradeNo, mismatch]
  return {
    type: `payment_refused_${tradeNo}`,
    title: 'A payment does not belong to the order that it names / 支付与其声称的订单不符',
    template:
      'The payment {{value}} {{value}} names the order {{value}}, whose {{value}} is another. Nothing was credited or taken back; look at it in the dashboard of the payment provider.\n支付 {{value}} {{value}} 声称属于订单 {{value}}，但其 {{value}} 与订单不符。系统未作任何入账或扣回，请到支付平台后台核查。',
    values: [...values, ...values],
  }
}

function reversalValues({ cause, amount, tradeNo }: PaymentReversed, settings: Visible) {
  const sign = amount > 0 ? '+' : ''
  return {
    amount: sign + quotaText(amount, settings),
    because: reversalTexts[cause][amount < 0 ? 'taken' : 'given'],
    order: tradeNo,
  }
}
