import type { ChannelRow } from './tables.ts'

/** A type of this gateway, with the address that stands for one of one-api. */
interface TypeHere {
  readonly type: number
  readonly baseUrl?: string
}

/**
 * one-api numbers its types for itself from 26 on. Those that speak OpenAI's format at an address of their own are that format here.
 * https://github.com/songquanpeng/one-api/blob/main/relay/channeltype/define.go
 */
const types: Readonly<Record<number, TypeHere>> = {
  2: { type: 1, baseUrl: 'https://oa.api2d.net' },
  4: { type: 1, baseUrl: 'https://api.closeai-proxy.xyz' },
  5: { type: 1, baseUrl: 'https://api.openai-sb.com' },
  26: { type: 1, baseUrl: 'https://api.baichuan-ai.com' },
  27: { type: 35 },
  28: { type: 42 },
  29: { type: 1000 },
  30: { type: 4 },
  31: { type: 31 },
  32: { type: 1, baseUrl: 'https://api.stepfun.com' },
  33: { type: 33 },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  39: { type: 1001 },
  40: { type: 45 },
  41: { type: 1011 },
  42: { type: 41 },
  44: { type: 40 },
  45: { type: 48 },
  46: { type: 56 },
  47: { type: 46 },
  48: { type: 1, baseUrl: 'https://spark-api-open.xf-yun.com' },
  49: { type: 1, baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode' },
  50: { type: 1 },
  51: { type: 1, baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
}

const lastSharedType = 25

/** Services that this gateway does not know. */
const unknownTypes: Readonly<Record<number, string>> = { 34: 'Coze', 38: 'DeepL', 43: 'Proxy' }

/** A channel of one-api in the form of new-api's, whose types are those of this gateway; a text says why there is none. */
export function asNewApiChannel(row: ChannelRow): ChannelRow | string {
  const here = types[row.type] ?? (row.type <= lastSharedType ? { type: row.type } : undefined)
  if (here === undefined) return unknownTypes[row.type] ?? String(row.type)
  const config = parsed(row.config)
  const text = (name: string) => (typeof config[name] === 'string' ? config[name] : '')
  return {
    ...row,
    type: here.type,
    base_url: row.base_url || (here.baseUrl ?? ''),
    key: here.type === 41 ? text('vertex_ai_adc') || row.key : row.key,
    other: otherOf(here.type, row.other, text),
    ...(row.system_prompt !== '' && { setting: JSON.stringify({ system_prompt: row.system_prompt }) }),
  }
}

function otherOf(type: number, other: string, text: (name: string) => string): string {
  if (type === 41) return text('region') || other
  return other || text('api_version') || text('library_id') || text('plugin') || text('user_id')
}

function parsed(config: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(config)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
