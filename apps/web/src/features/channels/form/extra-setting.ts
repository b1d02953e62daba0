export type SettingProblem = 'settingNotJson' | 'settingNotFlag' | 'settingProxy' | 'settingLimit'

/** The proxy in the extra settings; `undefined` while the text is no JSON object and only its JSON can be edited. */
export function proxyOf(text: string): string | undefined {
  const setting = parse(text)
  return setting && (typeof setting.proxy === 'string' ? setting.proxy : '')
}

/** The text with another proxy, and every other key untouched. No proxy leaves no key behind, and no keys no text. */
export function withProxy(text: string, proxy: string): string {
  const { proxy: _old, ...others } = parse(text) ?? {}
  const setting = proxy === '' ? others : { ...others, proxy }
  return Object.keys(setting).length === 0 ? '' : JSON.stringify(setting, null, 2)
}

/** Keys of the limits, by what they limit. */
export const limits = {
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  concurrency: 'concurrency',
} as const
export type LimitKey = (typeof limits)[keyof typeof limits]

/** A limit in the extra settings; `undefined` for none. */
export function limitOf(text: string, key: LimitKey): number | undefined {
  const value = parse(text)?.[key]
  return typeof value === 'number' && value > 0 ? value : undefined
}

/** The text with another limit, and every other key untouched; a text that is no JSON object stays. */
export function withLimit(text: string, key: LimitKey, limit: number): string {
  const setting = parse(text)
  if (setting === undefined) return text
  const { [key]: _old, ...others } = setting
  const changed = limit === 0 ? others : { ...others, [key]: limit }
  return Object.keys(changed).length === 0 ? '' : JSON.stringify(changed, null, 2)
}

export function settingProblem(text: string): SettingProblem | undefined {
  const setting = parse(text)
  if (!setting) return 'settingNotJson'
  const { force_format = false, thinking_to_content = false, proxy = '' } = setting
  if (typeof (force_format ?? false) !== 'boolean' || typeof (thinking_to_content ?? false) !== 'boolean') {
    return 'settingNotFlag'
  }
  if (!Object.values(limits).every((key) => isLimit(setting[key]))) return 'settingLimit'
  return isProxy(proxy ?? '') ? undefined : 'settingProxy'
}

function isLimit(value: unknown = 0): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isProxy(value: unknown): boolean {
  return value === '' || (typeof value === 'string' && isHttpAddress(value.trim()))
}

export function isHttpAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
