import { channelStatuses, nameOf } from '@tollgate/api'
import { z } from 'zod'
import type { SourceKeyState } from '../import-source.ts'
import { unplacedMembers } from './members.ts'

/** Notes of new-api on the keys of a channel with many, by their places. */
const channelInfo = z.object({
  is_multi_key: z.boolean().catch(false),
  multi_key_status_list: z.record(z.string(), z.number()).nullish().catch(null),
  multi_key_disabled_reason: z.record(z.string(), z.string()).nullish().catch(null),
  multi_key_disabled_time: z.record(z.string(), z.number()).nullish().catch(null),
})

/**
 * The keys of a channel that are switched off there.
 * @returns `undefined` when the column cannot be read, so that nobody knows which keys are off
 */
export function keyStatesOf(keys: string, info: unknown): readonly SourceKeyState[] | undefined {
  if (info === undefined || info === null || info === '') return []
  const parsed = channelInfo.safeParse(parsedInfo(info))
  if (!parsed.success) return undefined
  const { is_multi_key, multi_key_status_list, multi_key_disabled_reason, multi_key_disabled_time } =
    parsed.data
  if (!is_multi_key) return []
  const texts = keysThere(keys)
  return Object.entries(multi_key_status_list ?? {}).flatMap(([index, status]) => {
    const name = nameOf(channelStatuses, status) ?? 'disabled'
    if (name === 'enabled') return []
    const text = texts[Number(index)]
    // A place behind the last key: keys were taken out there since.
    if (text === undefined) return []
    const reason = multi_key_disabled_reason?.[index] ?? ''
    const at = multi_key_disabled_time?.[index] ?? 0
    return [{ index: Number(index), text, status: name, reason, at }]
  })
}

/** Members that are taken, that follow from the keys, or that say which key is next. */
const knownMembers: ReadonlySet<string> = new Set([
  ...Object.keys(channelInfo.shape),
  'multi_key_size',
  'multi_key_polling_index',
  'multi_key_mode',
])
/** Here the keys of a channel are called in turn. */
const sameMode = 'polling'

/** Returns the members of the column that have no counterpart here, beside the keys that are off. */
export function unplacedKeyInfo(info: unknown): readonly string[] {
  const members = z.looseObject({ is_multi_key: z.unknown(), multi_key_mode: z.unknown() })
  const parsed = members.partial().safeParse(parsedInfo(info))
  if (!parsed.success) return []
  const { is_multi_key, multi_key_mode: mode = '' } = parsed.data
  const isOther = is_multi_key === true && mode !== '' && mode !== sameMode
  return [
    ...unplacedMembers('channels.channel_info', parsed.data, knownMembers),
    ...(isOther
      ? [`channels.channel_info.multi_key_mode is ${String(mode)}: keys are called in turn here`]
      : []),
  ]
}

/** Text in SQLite and MySQL, bytes or an object in others. */
function parsedInfo(info: unknown): unknown {
  if (typeof info !== 'string' && !(info instanceof Uint8Array)) return info
  try {
    return JSON.parse(typeof info === 'string' ? info : new TextDecoder().decode(info))
  } catch {
    return undefined
  }
}

/** The keys in the order of that program: of a JSON list, else one a line. */
function keysThere(keys: string): readonly string[] {
  try {
    const list: unknown = keys.trim().startsWith('[') ? JSON.parse(keys) : undefined
    if (Array.isArray(list)) return list.map((key) => (typeof key === 'string' ? key : JSON.stringify(key)))
  } catch {
    // Then they are lines.
  }
  return keys.replace(/^\n+|\n+$/g, '').split('\n')
}
