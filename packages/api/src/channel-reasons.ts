import type { LocalizedTexts } from './errors/localized-texts.ts'
import { fillText, type Language } from './errors/localized-texts.ts'

/**
 * Sentences for the codes of a reason: why the gateway starts a cooldown, disables or enables a channel or key, and what a failed call
 * meant.
 */
export const channelReasonTexts = {
  key_refused: { en: 'the key was refused', zh: '密钥被拒绝' },
  error_code: { en: 'error code {code}', zh: '错误代码 {code}' },
  error_type: { en: 'error type {type}', zh: '错误类型 {type}' },
  error_keyword: { en: 'the error contains "{keyword}"', zh: '错误信息包含“{keyword}”' },
  too_slow: {
    en: 'a test took {seconds} s, longer than the limit of {limit} s',
    zh: '测试耗时 {seconds} 秒，超过阈值 {limit} 秒',
  },
  balance_empty: { en: 'the balance is used up ({balance})', zh: '余额不足（{balance}）' },
  test_passed: { en: 'passed a test', zh: '测试通过' },
  probe_passed: { en: 'a probe passed (model {model})', zh: '探测通过（模型 {model}）' },
  many_failed: {
    en: '{failures} of {attempts} calls failed in a minute',
    zh: '一分钟内 {attempts} 次调用中有 {failures} 次失败',
  },
  bad_request: { en: 'refused the request', zh: '拒绝了请求' },
  context_overflow: { en: 'refused the call: too long for the model', zh: '请求超出模型上下文长度' },
  output_limit: { en: 'refused the call: too much output', zh: '请求的输出超出模型上限' },
  content_policy: { en: 'refused the content', zh: '拒绝了内容' },
  overloaded: { en: 'overloaded', zh: '上游过载' },
  timeout: { en: 'did not respond in time', zh: '未在时限内响应' },
  upstream_bug: { en: 'connection failed or invalid response', zh: '连接失败或响应无效' },
  not_found: { en: 'address not found', zh: '地址不存在' },
  model_not_found: { en: 'model not found', zh: '模型不存在' },
  rate_limited: { en: 'rate limited', zh: '被限流' },
  forbidden: { en: 'key not permitted', zh: '密钥没有权限' },
  unauthorized: { en: 'key refused', zh: '密钥被拒绝' },
  quota: { en: 'out of credit', zh: '额度已用尽' },
  suspended: { en: 'the account is disabled or suspended', zh: '账户已被停用或冻结' },
  account_limited: { en: 'the allowance of the account is used up', zh: '账户的用量额度已用完' },
  draining: { en: 'draining: new calls go to other channels', zh: '排空中：新调用改走其他渠道' },
  not_sent: { en: 'the call could not be sent', zh: '调用无法发出' },
} as const satisfies LocalizedTexts

export type ChannelReasonCode = keyof typeof channelReasonTexts

/**
 * Parameters of a reason. Beside those that its sentence names: `status` (HTTP status of the upstream), `detail` (its
 * words, redacted), `model` (of the call), `cause` (the code of the last failure), `last_of_keys` (the channel is out
 * of service because this was the last of so many keys).
 */
export type ChannelReasonParams = Readonly<Record<string, string | number>>

export interface ChannelReason {
  readonly code: ChannelReasonCode
  readonly params: ChannelReasonParams
}

export function isChannelReasonCode(code: string): code is ChannelReasonCode {
  return Object.hasOwn(channelReasonTexts, code)
}

/** The words around a reason's sentence. */
const frames = {
  en: { status: ' (status {status})', last: 'no key is left; the last: ', join: ': ' },
  zh: { status: '（状态码 {status}）', last: '已无可用密钥，最后一个：', join: '：' },
} as const satisfies Record<Language, unknown>

/** A reason in words. */
export function channelReasonText({ code, params }: ChannelReason, language: Language): string {
  const frame = frames[language]
  const template: string = channelReasonTexts[code][language]
  const { status, detail, model, cause, last_of_keys } = params
  const about = model === undefined || template.includes('{model}') ? '' : `${model}${frame.join}`
  const last = last_of_keys === undefined ? '' : frame.last
  const because =
    typeof cause === 'string' && isChannelReasonCode(cause)
      ? `${frame.join}${channelReasonTexts[cause][language]}`
      : ''
  const withStatus = status === undefined || status === 0 ? '' : fillText(frame.status, { status }, language)
  const stated = detail === undefined || detail === '' ? '' : `${frame.join}${detail}`
  return `${last}${about}${fillText(template, params, language)}${because}${withStatus}${stated}`
}
