import {
  type CostSwitch,
  costFactorKey,
  largestCostFactor,
  type PrivacySwitch,
  type RateLimits,
  stripSwitch,
  type TypeSwitch,
} from '@tollgate/api'
import { type CostFeature, type Instructions, isObject, parseExactJson } from '@tollgate/formats'
import { Refusal } from '../../lib/refusal.ts'
import type { ParamOverride } from '../../upstream/body-operations/operation.ts'
import { parseOperations } from '../../upstream/body-operations/parse-operations.ts'
import { tryOperations } from '../../upstream/body-operations/try-operations.ts'
import type { ChannelSetting, FieldPolicy } from './routing-types.ts'

/**
 * Parsers of a channel's JSON texts, for the form (which shows the refusal) and for routing. Each takes the stored
 * text, empty for "not set", and throws `Refusal` when it is invalid.
 */

type JsonObject = Readonly<Record<string, unknown>>

// Shared by all channels that do not set them.
const noModelMapping: ReadonlyMap<string, string> = new Map()
const noStatusMapping: ReadonlyMap<number, number> = new Map()
const defaultFields: FieldPolicy = { allowed: new Set(['store']), strips: false }
const noSetting: ChannelSetting = {
  forceFormat: false,
  thinkingToContent: false,
  proxy: '',
  passThroughBody: false,
  instructions: undefined,
  fields: defaultFields,
  stripsDeploymentDots: false,
}
/** A prompt is sent with every call. */
const maxPromptLength = 32_768

function parseJson(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal('channel_json_invalid', { field }, { cause })
  }
}

function parseTextMap(field: string, text: string): [string, string][] {
  if (text.trim() === '') return []
  const value = parseJson(field, text)
  if (!isObject(value)) throw new Refusal('channel_mapping_not_text', { field })
  return Object.entries(value).map(([from, to]) => {
    if (from.trim() === '' || typeof to !== 'string' || to.trim() === '') {
      throw new Refusal('channel_mapping_not_text', { field })
    }
    return [from.trim(), to.trim()]
  })
}

export interface ModelMapping {
  /** Requested to final upstream model. Chains are followed to their end, which may be a name that maps to itself. */
  readonly final: ReadonlyMap<string, string>
  /** Names whose chain has no end. */
  readonly loops: ReadonlySet<string>
}

const noMapping: ModelMapping = { final: noModelMapping, loops: new Set() }

/** Checks a mapping for the form: refuses a loop. */
export function checkModelMapping(text: string): void {
  const [model] = parseModelMapping(text).loops
  if (model !== undefined) throw new Refusal('channel_mapping_cycle', { model })
}

export function parseModelMapping(text: string): ModelMapping {
  const steps = new Map(parseTextMap('model_mapping', text))
  if (steps.size === 0) return noMapping
  const final = new Map<string, string>()
  const loops = new Set<string>()
  for (const model of steps.keys()) {
    const end = endOfChain(steps, model)
    if (end === undefined) loops.add(model)
    else final.set(model, end)
  }
  return { final, loops }
}

/** `undefined` when there is none. */
function endOfChain(steps: ReadonlyMap<string, string>, model: string): string | undefined {
  const seen = new Set<string>()
  for (let current = model; ; ) {
    const next = steps.get(current)
    if (next === undefined || next === current) return current
    if (seen.has(next)) return undefined
    seen.add(next)
    current = next
  }
}

/**
 * Maps the status of the upstream's response to the error status that replaces it. Both are checked: an error stays an
 * error.
 */
export function parseStatusCodeMapping(text: string): ReadonlyMap<number, number> {
  const entries = parseTextMap('status_code_mapping', text)
  if (entries.length === 0) return noStatusMapping
  return new Map(
    entries.map(([from, to]) => {
      if (!/^[1-9]\d\d$/.test(from) || !/^[45]\d\d$/.test(to))
        throw new Refusal('channel_status_mapping_invalid')
      return [Number(from), Number(to)]
    }),
  )
}

/** The edits of request bodies; `null` without any. */
export function parseParamOverride(text: string): ParamOverride | null {
  if (text.trim() === '') return null
  const value = parseExactJson(text, 'fields')
  if (value === undefined) throw new Refusal('channel_json_invalid', { field: 'param_override' })
  if (!isObject(value)) throw new Refusal('channel_param_override_not_object')
  if (Object.hasOwn(value, 'stream')) throw new Refusal('channel_param_override_stream')
  const { operations: written = [], ...fields } = value
  const operations = parseOperations(written)
  return operations.length === 0 && Object.keys(fields).length === 0 ? null : { fields, operations }
}

/** The same for one that is saved: refuses operations that would make too much of the smallest request. */
export function checkParamOverride(text: string): void {
  tryOperations(parseParamOverride(text)?.operations ?? [])
}

/** Unknown keys are ignored (a later version may have written them); known ones must have their type. */
export function parseChannelSetting(text: string): ChannelSetting {
  if (text.trim() === '') return noSetting
  const value = parseJson('setting', text)
  if (!isObject(value)) throw new Refusal('channel_json_invalid', { field: 'setting' })
  return {
    forceFormat: readFlag(value, 'force_format'),
    thinkingToContent: readFlag(value, 'thinking_to_content'),
    proxy: readProxy(value),
    passThroughBody: readFlag(value, 'pass_through_body_enabled') || readFlag(value, 'pass_through_body'),
    instructions: readInstructions(value),
    fields: readFieldPolicy(value),
    stripsDeploymentDots: readFlag(value, 'strip_deployment_dots' satisfies TypeSwitch),
    ...readLimits(value),
    ...readCostFactor(value),
  }
}

function readFlag(setting: JsonObject, key: string): boolean {
  const value = setting[key] ?? false
  if (typeof value !== 'boolean') throw new Refusal('channel_setting_not_flag', { key })
  return value
}

/** The feature that each switch controls. */
export const switchFeatures = {
  allow_service_tier: 'service-tier',
  allow_speed: 'speed',
  allow_inference_geo: 'inference-geo',
  allow_hosted_tools: 'hosted-tool',
  allow_other_models: 'other-model',
  allow_long_context: 'long-context',
  allow_long_cache: 'long-cache',
  allow_safety_identifier: 'safety-identifier',
  allow_include_obfuscation: 'stream-obfuscation',
  disable_store: 'store',
} as const satisfies Readonly<Record<CostSwitch | PrivacySwitch, CostFeature>>

function readFieldPolicy(setting: JsonObject): FieldPolicy {
  const allowed = Object.entries(switchFeatures).flatMap(([key, feature]) =>
    // The only switch that withholds a field when it is on.
    readFlag(setting, key) !== (key === 'disable_store') ? [feature] : [],
  )
  return { allowed: new Set(allowed), strips: readFlag(setting, stripSwitch) }
}

function readInstructions(setting: JsonObject): Instructions | undefined {
  const always = readFlag(setting, 'system_prompt_override')
  const text = setting.system_prompt ?? ''
  if (typeof text !== 'string') throw new Refusal('channel_setting_not_text', { key: 'system_prompt' })
  if (text.length > maxPromptLength)
    throw new Refusal('channel_text_too_long', { field: 'setting.system_prompt', max: maxPromptLength })
  return text.trim() === '' ? undefined : { text, always }
}

/** The limits that are set. */
function readLimits(setting: JsonObject): { readonly limits?: RateLimits } {
  const limits = {
    requestsPerMinute: readLimit(setting, 'requests_per_minute'),
    tokensPerMinute: readLimit(setting, 'tokens_per_minute'),
    concurrency: readLimit(setting, 'concurrency'),
  }
  return Object.values(limits).some((limit) => limit > 0) ? { limits } : {}
}

const largestLimit = 10 ** 9

function readLimit(setting: JsonObject, key: string): number {
  const value = setting[key] ?? 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestLimit)
    return value
  throw new Refusal('channel_setting_not_limit', { key, max: largestLimit })
}

function readCostFactor({ [costFactorKey]: factor }: JsonObject): { readonly costFactor?: number } {
  if (factor === undefined || factor === 1) return {}
  if (typeof factor === 'number' && factor >= 0 && factor <= largestCostFactor) return { costFactor: factor }
  throw new Refusal('channel_setting_not_factor', { key: costFactorKey, max: largestCostFactor })
}

function readProxy(setting: JsonObject): string {
  const value = setting.proxy ?? ''
  if (value === '') return ''
  if (typeof value !== 'string' || !isProxyAddress(value.trim())) throw new Refusal('channel_proxy_invalid')
  return value.trim()
}

export function isHttpAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false
  return URL.canParse(text)
}

/** `socks5h` says that the proxy resolves hosts, which it always does here. */
function isProxyAddress(text: string): boolean {
  return isHttpAddress(text) || (/^socks5h?:\/\//i.test(text) && URL.canParse(text))
}
