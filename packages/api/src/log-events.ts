import type { RefusalCode } from './errors/index.ts'
import { fillText, type Language, refusalTexts, type TextDetails } from './errors/index.ts'

/** Types of a row's parameters, by the name of the kind. */
interface Kinds {
  /** Quota units, written with the word for quota. */
  quota: number
  /** Quota units, written alone. */
  amount: number
  number: number
  /** Milliseconds, written as seconds. */
  duration: number
  text: string
  person: LogPerson
  refusal: { readonly code: RefusalCode; readonly details: TextDetails }
}

/** A person in a row: `{name}` of a sentence is the name, `{name_id}` the id. */
export interface LogPerson {
  readonly id: number
  readonly name: string
}

interface LogEventText {
  readonly params: Readonly<Record<string, keyof Kinds>>
  readonly en: string
  readonly zh: string
}

const reversal = { quota: 'quota', paid: 'text', order: 'text' } as const
const correction = { id: 'number', quota: 'quota', reason: 'text' } as const
const channelTest = { channel: 'text', id: 'number', model: 'text', duration: 'duration' } as const

/**
 * Rows of the usage log that are no calls: top-ups, acts of administrators, and what the system does. The log stores the code with its
 * parameters in `other`; a reader gets the sentence in their language, with amounts as the site displays them.
 */
const events = {
  code_redeemed: {
    params: { quota: 'quota', code: 'number' },
    en: 'Redeemed {quota}, code id {code}',
    zh: '兑换了 {quota}，兑换码 ID {code}',
  },
  top_up_paid: {
    params: { quota: 'quota', paid: 'text' },
    en: 'Online top-up {quota}, paid {paid}',
    zh: '在线充值 {quota}，支付 {paid}',
  },
  payment_refunded: {
    params: reversal,
    en: 'Took back {quota}: the payment of {paid} ({order}) was refunded',
    zh: '扣回 {quota}：支付 {paid}（{order}）已退款',
  },
  refund_failed: {
    params: reversal,
    en: 'Gave back {quota}: a refund of the payment of {paid} ({order}) failed',
    zh: '返还 {quota}：支付 {paid}（{order}）的退款失败',
  },
  payment_disputed: {
    params: reversal,
    en: 'Took back {quota}: the payment of {paid} ({order}) is disputed',
    zh: '扣回 {quota}：支付 {paid}（{order}）存在争议',
  },
  dispute_ended: {
    params: reversal,
    en: 'Gave back {quota}: a dispute of the payment of {paid} ({order}) ended',
    zh: '返还 {quota}：支付 {paid}（{order}）的争议已结束',
  },
  quota_changed: {
    params: { actor: 'person', change: 'amount', balance: 'amount' },
    en: '{actor} (id {actor_id}) changed the quota by {change} to {balance}',
    zh: '{actor}（ID {actor_id}）将额度调整 {change}，调整后为 {balance}',
  },
  quota_changed_for: {
    params: { actor: 'person', change: 'amount', balance: 'amount', reason: 'text' },
    en: '{actor} (id {actor_id}) changed the quota by {change} to {balance}: {reason}',
    zh: '{actor}（ID {actor_id}）将额度调整 {change}，调整后为 {balance}：{reason}',
  },
  gift_new_account: {
    params: { quota: 'quota' },
    en: 'Gift for a new account: {quota}',
    zh: '新用户赠送 {quota}',
  },
  gift_invited: {
    params: { quota: 'quota' },
    en: 'Gift for using an invitation: {quota}',
    zh: '使用邀请码赠送 {quota}',
  },
  gift_inviter: {
    params: { quota: 'quota', invitee: 'person' },
    en: 'Gift for inviting {invitee}: {quota}',
    zh: '邀请用户 {invitee} 赠送 {quota}',
  },
  gift_inviter_paid: {
    params: { quota: 'quota', invitee: 'person' },
    en: 'Gift for inviting {invitee}, who has paid: {quota}',
    zh: '邀请的用户 {invitee} 已付款，赠送 {quota}',
  },
  gift_taken_back: {
    params: { quota: 'quota', invitee: 'person' },
    en: 'Gift for inviting {invitee} taken back with the payment: {quota}',
    zh: '邀请用户 {invitee} 的赠送随支付一并收回：{quota}',
  },
  goodwill_given: {
    params: { quota: 'quota', call: 'number' },
    en: 'Credited {quota} for call {call}',
    zh: '为调用 {call} 补偿 {quota}',
  },
  goodwill_taken_back: {
    params: { quota: 'quota', call: 'number' },
    en: 'Took back the credit of {quota} for call {call}',
    zh: '撤回为调用 {call} 补偿的 {quota}',
  },
  correction_credited: {
    params: { ...correction, calls: 'number' },
    en: 'Correction {id} of {calls} charges: {quota} were credited. Reason: {reason}',
    zh: '第 {id} 号更正涉及 {calls} 笔扣费：返还 {quota}。原因：{reason}',
  },
  correction_charged: {
    params: { ...correction, calls: 'number' },
    en: 'Correction {id} of {calls} charges: {quota} were charged in addition. Reason: {reason}',
    zh: '第 {id} 号更正涉及 {calls} 笔扣费：补扣 {quota}。原因：{reason}',
  },
  correction_undone_credited: {
    params: correction,
    en: 'Correction {id} was taken back: {quota} were credited. Reason: {reason}',
    zh: '第 {id} 号更正已撤销：返还 {quota}。原因：{reason}',
  },
  correction_undone_charged: {
    params: correction,
    en: 'Correction {id} was taken back: {quota} were charged in addition. Reason: {reason}',
    zh: '第 {id} 号更正已撤销：补扣 {quota}。原因：{reason}',
  },
  channel_test_passed: {
    params: channelTest,
    en: 'Channel test: {channel} (#{id}), model {model}, {duration} s, passed',
    zh: '渠道测试：{channel}（#{id}），模型 {model}，{duration} 秒，通过',
  },
  channel_test_failed: {
    params: { ...channelTest, failure: 'refusal' },
    en: 'Channel test: {channel} (#{id}), model {model}, {duration} s, failed: {failure}',
    zh: '渠道测试：{channel}（#{id}），模型 {model}，{duration} 秒，失败：{failure}',
  },
  channels_tested: {
    params: { total: 'number', failed: 'number' },
    en: 'Test of {total} channels, {failed} failed',
    zh: '测试了 {total} 个渠道，{failed} 个失败',
  },
  channels_tested_with: {
    params: { total: 'number', failed: 'number', channels: 'text' },
    en: 'Test of {total} channels, {failed} failed: {channels}',
    zh: '测试了 {total} 个渠道，{failed} 个失败：{channels}',
  },
  channels_test_cancelled: {
    params: { total: 'number', done: 'number', failed: 'number' },
    en: 'Test of {total} channels, cancelled after {done}, {failed} failed',
    zh: '测试 {total} 个渠道，完成 {done} 个后取消，{failed} 个失败',
  },
  channels_test_cancelled_with: {
    params: { total: 'number', done: 'number', failed: 'number', channels: 'text' },
    en: 'Test of {total} channels, cancelled after {done}, {failed} failed: {channels}',
    zh: '测试 {total} 个渠道，完成 {done} 个后取消，{failed} 个失败：{channels}',
  },
} as const satisfies Readonly<Record<string, LogEventText>>

export type LogEventCode = keyof typeof events

/** The codes with the kinds of their parameters and their sentences. */
export const logEvents: Readonly<Record<LogEventCode, LogEventText>> = events

type Params<Code extends LogEventCode> = {
  readonly [Name in keyof (typeof events)[Code]['params']]: (typeof events)[Code]['params'][Name] extends keyof Kinds
    ? Kinds[(typeof events)[Code]['params'][Name]]
    : never
}

/** Event without words. */
export type LogEvent = {
  readonly [Code in LogEventCode]: { readonly event: Code; readonly params: Params<Code> }
}[LogEventCode]

/** Preferences of a reader: their language, and the site's display of amounts. */
export interface LogReader {
  readonly language: Language
  readonly DisplayInCurrencyEnabled: boolean
  readonly QuotaPerUnit: number
}

/** The texts of a row: `other` is JSON, `content` a sentence. */
export interface LogTexts {
  readonly content: string
  readonly other: string
}

/** A program that does not know a code reads the sentence of a row in English, with amounts in quota units. */
const plainReader: LogReader = { language: 'en', DisplayInCurrencyEnabled: false, QuotaPerUnit: 1 }

/** The texts under which an event is stored: its code with the parameters, and a sentence for programs that do not know it. */
export function encodeLogEvent({ event, params }: LogEvent): LogTexts {
  return textsOf({ event, params })
}

interface StoredEvent {
  readonly event: LogEventCode
  readonly params: Readonly<Record<string, unknown>>
}

function textsOf(stored: StoredEvent): LogTexts {
  const { event, params } = stored
  return { content: sentenceOf(stored, plainReader), other: JSON.stringify({ event, params }) }
}

/** The event of a row's `other`; `undefined` for rows of calls, and for those of older versions, which are sentences alone. */
export function decodeLogEvent(other: string): StoredEvent | undefined {
  if (!other.startsWith('{"event":')) return undefined
  try {
    const { event, params } = JSON.parse(other) as { event?: unknown; params?: unknown }
    if (typeof event !== 'string' || !Object.hasOwn(events, event) || !isFields(params)) return undefined
    const code = event as LogEventCode
    const isWhole = Object.entries(logEvents[code].params).every(([name, kind]) =>
      isOfKind(params[name], kind),
    )
    return isWhole ? { event: code, params } : undefined
  } catch {
    return undefined
  }
}

/** Returns the text of a row for its reader: the sentence of its event, else its content unchanged. */
export function logSentence({ content, other }: LogTexts, reader: LogReader): string {
  const stored = decodeLogEvent(other)
  return stored === undefined ? content : sentenceOf(stored, reader)
}

function sentenceOf({ event, params }: StoredEvent, reader: LogReader): string {
  const text = logEvents[event]
  const details = Object.entries(text.params).flatMap(([name, kind]) =>
    slotsOf(name, kind, params[name], reader),
  )
  return fillText(text[reader.language], Object.fromEntries(details), reader.language)
}

/** The texts with other persons in their event; `undefined` where none changes. */
export function withLogPersons(
  { other }: LogTexts,
  change: (person: LogPerson) => LogPerson,
): LogTexts | undefined {
  const stored = decodeLogEvent(other)
  if (stored === undefined) return undefined
  const { event, params } = stored
  const kinds: Readonly<Record<string, keyof Kinds>> = logEvents[event].params
  const changed = Object.entries(params).map(([name, value]) => [
    name,
    kinds[name] === 'person' ? change(value as LogPerson) : value,
  ])
  const texts = textsOf({ event, params: Object.fromEntries(changed) })
  return texts.other === other ? undefined : texts
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfKind(value: unknown, kind: keyof Kinds): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'person':
      return isFields(value) && typeof value['id'] === 'number' && typeof value['name'] === 'string'
    case 'refusal':
      return (
        isFields(value) && Object.hasOwn(refusalTexts, String(value['code'])) && isFields(value['details'])
      )
    case 'quota':
    case 'amount':
      return Number.isSafeInteger(value)
    default:
      return typeof value === 'number'
  }
}

type Slot = readonly [name: string, text: string]

/** The texts of one parameter, whose kind `decodeLogEvent` has checked. */
function slotsOf(name: string, kind: keyof Kinds, value: unknown, reader: LogReader): readonly Slot[] {
  switch (kind) {
    case 'quota':
      return [[name, quotaWords(value as number, reader)]]
    case 'amount':
      return [[name, amountOf(value as number, reader)]]
    case 'duration':
      return [[name, ((value as number) / 1000).toFixed(2)]]
    case 'person': {
      const person = value as LogPerson
      return [
        [name, person.name],
        [`${name}_id`, String(person.id)],
      ]
    }
    case 'refusal': {
      const { code, details } = value as Kinds['refusal']
      return [[name, fillText(refusalTexts[code][reader.language], details, reader.language)]]
    }
    default:
      return [[name, String(value)]]
  }
}

/** `＄0.100000 of quota`, or points: the form in which such logs have amounts, and programs look for them. */
function quotaWords(quota: number, reader: LogReader): string {
  const amount = amountOf(quota, reader)
  if (reader.DisplayInCurrencyEnabled)
    return reader.language === 'en' ? `${amount} of quota` : `${amount} 额度`
  return reader.language === 'en' ? `${amount} points of quota` : `${amount} 点额度`
}

const decimals = 6
/** Number of decimals where six are not exact: a quota unit may be a millionth of a millionth. */
const maxDecimals = 12

function amountOf(quota: number, { DisplayInCurrencyEnabled, QuotaPerUnit }: LogReader): string {
  if (!DisplayInCurrencyEnabled) return String(quota)
  const digits = digitsOf(Math.abs(quota), QuotaPerUnit)
    .toString()
    .padStart(maxDecimals + 1, '0')
  const fraction = digits.slice(-maxDecimals).replace(/0+$/, '').padEnd(decimals, '0')
  return `${quota < 0 ? '-' : ''}＄${digits.slice(0, -maxDecimals)}.${fraction}`
}

/** The amount in units of the last decimal, rounded half up; in whole numbers, because quotas go beyond what a fraction holds. */
function digitsOf(quota: number, perUnit: number): bigint {
  const [whole = '1', fraction = ''] = perUnit.toFixed(decimals).split('.')
  const divisor = BigInt(whole + fraction)
  return (BigInt(quota) * 10n ** BigInt(maxDecimals + decimals) * 2n + divisor) / (divisor * 2n)
}
