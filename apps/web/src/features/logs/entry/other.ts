import type { LogOther } from '@tollgate/api'
import type { Attempt } from '../attempts/attempt.ts'

/** Members of a row's `other`, and whether the text could be read at all. */
export interface Explanation {
  readonly other: LogOther
  /** The stored text is not a JSON object: the row is shown without its explanation. */
  readonly broken: boolean
}

const numbers = [
  'model_ratio',
  'model_price',
  'quota_per_unit',
  'completion_ratio',
  'group_ratio',
  'user_group_ratio',
  'input_tokens_total',
  'cache_tokens',
  'cache_ratio',
  'cache_creation_tokens',
  'cache_creation_ratio',
  'cache_creation_tokens_5m',
  'cache_creation_ratio_5m',
  'cache_creation_tokens_1h',
  'cache_creation_ratio_1h',
  'reasoning_tokens',
  'shortfall',
  'frt',
  'audio_input',
  'audio_output',
  'text_input',
  'text_output',
  'audio_ratio',
  'audio_completion_ratio',
  'image_input',
  'image_output',
  'image_ratio',
  'image_completion_ratio',
  'image_price',
  'image_count',
  'image_size_ratio',
  'image_quality_ratio',
  'video_price',
  'video_seconds',
  'video_resolution_ratio',
  'video_sound_ratio',
] as const satisfies readonly (keyof LogOther)[]
const texts = [
  'upstream_model_name',
  'reasoning_effort',
  'ended',
  'image_size',
  'image_quality',
  'video_unit',
  'video_resolution',
] as const satisfies readonly (keyof LogOther)[]
const flags = [
  'is_model_mapped',
  'is_system_prompt_overwritten',
  'claude',
  'ws',
  'audio',
  'image',
  'estimated',
  'unfinished',
] as const satisfies readonly (keyof LogOther)[]

/** Reads `other` field by field: rows may be imported or old, and one odd field must not hide the others. */
export function readOther(text: string): Explanation {
  if (text === '') return { other: {}, broken: false }
  const fields = objectOf(parse(text))
  if (!fields) return { other: {}, broken: true }
  const timing = readTiming(fields.timing)
  const disbelieved = readDisbelieved(fields.usage_disbelieved)
  const admin = readAdminInfo(fields.admin_info)
  const error = readError(fields.error)
  const step = readStep(fields.length_step)
  const window = readWindow(fields.price_window)
  const tools = readTools(fields.tool_calls)
  const tiers = numbersIn(fields.tier_ratios)
  const other: LogOther = {
    ...pick(fields, numbers, isNumber),
    ...pick(fields, texts, isText),
    ...pick(fields, flags, (value) => typeof value === 'boolean'),
    ...(timing && { timing }),
    ...(disbelieved && { usage_disbelieved: disbelieved }),
    ...(error && { error }),
    ...(step && { length_step: step }),
    ...(window && { price_window: window }),
    ...(tools && { tool_calls: tools }),
    ...(tiers && { tier_ratios: tiers }),
    ...(admin && { admin_info: admin }),
  }
  return { other, broken: false }
}

type Fields = Readonly<Record<string, unknown>>

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function pick(fields: Fields, names: readonly string[], fits: (value: unknown) => boolean): LogOther {
  return Object.fromEntries(names.filter((name) => fits(fields[name])).map((name) => [name, fields[name]]))
}

function readTiming(value: unknown): LogOther['timing'] {
  const { routed, sent, first_token, done } = objectOf(value) ?? {}
  if (!isNumber(routed) || !isNumber(sent) || !isNumber(first_token) || !isNumber(done)) return undefined
  return { routed, sent, first_token, done }
}

function readDisbelieved(value: unknown): LogOther['usage_disbelieved'] {
  const { prompt_tokens, completion_tokens, reasoning_tokens = 0 } = objectOf(value) ?? {}
  if (!isNumber(prompt_tokens) || !isNumber(completion_tokens) || !isNumber(reasoning_tokens))
    return undefined
  return { prompt_tokens, completion_tokens, reasoning_tokens }
}

function readStep(value: unknown): LogOther['length_step'] {
  const { above, input, output, cached } = objectOf(value) ?? {}
  if (!isNumber(above) || !isNumber(input) || !isNumber(output)) return undefined
  return { above, input, output, ...(isNumber(cached) && { cached }) }
}

function readWindow(value: unknown): LogOther['price_window'] {
  const { zone, from, to, ratio } = objectOf(value) ?? {}
  if (!isText(zone) || !isText(from) || !isText(to) || !isNumber(ratio)) return undefined
  return { zone, from, to, ratio }
}

function readTools(value: unknown): LogOther['tool_calls'] {
  const tools = Object.entries(objectOf(value) ?? {}).flatMap(([kind, use]) => {
    const { calls, price } = objectOf(use) ?? {}
    return isNumber(calls) && isNumber(price) ? [[kind, { calls, price }] as const] : []
  })
  return tools.length === 0 ? undefined : Object.fromEntries(tools)
}

function numbersIn(value: unknown): Readonly<Record<string, number>> | undefined {
  const found = Object.entries(objectOf(value) ?? {}).filter((pair): pair is [string, number] =>
    isNumber(pair[1]),
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function readError(value: unknown): LogOther['error'] {
  const { code, status, reason, params } = objectOf(value) ?? {}
  if (typeof code !== 'string' || !isNumber(status)) return undefined
  const reported = Object.entries(objectOf(params) ?? {}).filter(
    (pair): pair is [string, string | number] => isText(pair[1]) || isNumber(pair[1]),
  )
  return {
    code,
    status,
    ...(isText(reason) && { reason }),
    ...(reported.length > 0 && { params: Object.fromEntries(reported) }),
  }
}

function readAdminInfo(value: unknown): LogOther['admin_info'] {
  const fields = objectOf(value)
  if (!fields) return undefined
  const { use_channel, attempts } = fields
  const affinity = readAffinity(fields.affinity)
  return {
    use_channel: Array.isArray(use_channel) ? use_channel.map(String) : [],
    attempts: Array.isArray(attempts) ? attempts.flatMap(readAttempt) : [],
    ...(affinity && { affinity }),
  }
}

function readAffinity(value: unknown): { readonly by: string; readonly channel: number } | undefined {
  const { by, channel } = objectOf(value) ?? {}
  return isText(by) && isNumber(channel) ? { by, channel } : undefined
}

function readAttempt(value: unknown): readonly Attempt[] {
  const { channel, key, ms, status, kind, said: stated } = objectOf(value) ?? {}
  if (!isNumber(channel) || !isNumber(ms)) return []
  return [
    {
      channel,
      ms,
      key: isNumber(key) ? key : 0,
      status: isNumber(status) ? status : 0,
      kind: isText(kind) ? kind : '',
      ...(isText(stated) && { said: stated }),
    },
  ]
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
