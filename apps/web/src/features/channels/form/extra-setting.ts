import {
  costFactorKey,
  costSwitches,
  largestCostFactor,
  privacySwitches,
  stripSwitch,
  type TypeSwitch,
  typeSwitches,
} from '@tollgate/api'

export type SettingProblem =
  | 'settingNotJson'
  | 'settingNotFlag'
  | 'settingNotText'
  | 'settingProxy'
  | 'settingLimit'
  | 'settingFactor'

/** Extra settings with a control of their own. */
export interface ExtraSetting {
  readonly proxy: string
  readonly system_prompt: string
  readonly system_prompt_override: boolean
  readonly force_format: boolean
  readonly thinking_to_content: boolean
  readonly pass_through_body: boolean
}

export const settingFlags = [
  'force_format',
  'thinking_to_content',
  'pass_through_body',
  'system_prompt_override',
] as const satisfies readonly (keyof ExtraSetting)[]

/** The extra settings as controls show them; `undefined` while the text is not a JSON object and only its JSON can be edited. */
export function extraSettingOf(text: string): ExtraSetting | undefined {
  const setting = parse(text)
  if (!setting) return undefined
  return {
    proxy: typeof setting.proxy === 'string' ? setting.proxy : '',
    system_prompt: typeof setting.system_prompt === 'string' ? setting.system_prompt : '',
    system_prompt_override: setting.system_prompt_override === true,
    force_format: setting.force_format === true,
    thinking_to_content: setting.thinking_to_content === true,
    // Others write it by a longer name.
    pass_through_body: setting.pass_through_body === true || setting.pass_through_body_enabled === true,
  }
}

/** The text with some settings changed, and every other key untouched. What is off leaves no key behind, and no keys no text. */
export function withExtraSetting(text: string, change: Partial<ExtraSetting>): string {
  const { pass_through_body_enabled: enabled, ...others } = parse(text) ?? {}
  const changed = { ...others, ...(enabled !== undefined && { pass_through_body: enabled }), ...change }
  const isKnown = (key: string) =>
    key === 'proxy' || key === 'system_prompt' || settingFlags.some((flag) => flag === key)
  const retained = Object.entries(changed).filter(
    ([key, value]) => !isKnown(key) || (value !== '' && value !== false),
  )
  return retained.length === 0 ? '' : JSON.stringify(Object.fromEntries(retained), null, 2)
}

/** Switches for fields of callers, by their names. */
export const fieldSwitches = [...costSwitches, stripSwitch, ...privacySwitches] as const

/** The switches that a type of channel knows alone. */
export function switchesOf(type: number): readonly TypeSwitch[] {
  return typeSwitchNames.filter((name) => typeSwitches[name] === type)
}

const typeSwitchNames = Object.keys(typeSwitches) as readonly TypeSwitch[] // Its keys are the switches.

type SettingSwitch = (typeof fieldSwitches)[number] | TypeSwitch

export function isOn(text: string, key: SettingSwitch): boolean {
  return parse(text)?.[key] === true
}

/** The text with a switch on or off, and every other key untouched; a text that is not a JSON object stays. */
export function withSwitch(text: string, key: SettingSwitch, on: boolean): string {
  return withMember(text, key, on || undefined)
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

/** The text with another limit, and every other key untouched; a text that is not a JSON object stays. */
export function withLimit(text: string, key: LimitKey, limit: number): string {
  return withMember(text, key, limit || undefined)
}

/**
 * Returns the factor of the channel's costs to list prices; 1 where the settings have none, `undefined` where they have no number.
 */
export function costFactorOf(text: string): number | undefined {
  const value = parse(text)?.[costFactorKey] ?? 1
  return typeof value === 'number' ? value : undefined
}

/** The text with another cost factor, and every other key untouched; 1 leaves no key behind. */
export function withCostFactor(text: string, factor: number | undefined): string {
  return withMember(text, costFactorKey, factor === 1 ? undefined : factor)
}

function withMember(text: string, key: string, value: unknown): string {
  const setting = parse(text)
  if (setting === undefined) return text
  const { [key]: _old, ...others } = setting
  const changed = value === undefined ? others : { ...others, [key]: value }
  return Object.keys(changed).length === 0 ? '' : JSON.stringify(changed, null, 2)
}

export function settingProblem(text: string): SettingProblem | undefined {
  const setting = parse(text)
  if (!setting) return 'settingNotJson'
  const flags = [...settingFlags, ...fieldSwitches, ...typeSwitchNames, 'pass_through_body_enabled'] as const
  if (flags.some((flag) => typeof (setting[flag] ?? false) !== 'boolean')) return 'settingNotFlag'
  if (typeof (setting.system_prompt ?? '') !== 'string') return 'settingNotText'
  if (!Object.values(limits).every((key) => isLimit(setting[key]))) return 'settingLimit'
  if (!isFactor(setting[costFactorKey])) return 'settingFactor'
  return isProxy(setting.proxy ?? '') ? undefined : 'settingProxy'
}

function isLimit(value: unknown = 0): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isFactor(value: unknown = 1): boolean {
  return typeof value === 'number' && value >= 0 && value <= largestCostFactor
}

function isProxy(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const address = value.trim()
  return (
    address === '' || isHttpAddress(address) || (/^socks5h?:\/\//i.test(address) && URL.canParse(address))
  )
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
