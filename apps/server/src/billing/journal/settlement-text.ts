import type { Settlement } from '../../store/store.ts'
import type { Charge } from '../ledger-types.ts'

/**
 * A settlement as text: one line of JSON with the fields in a fixed order, then `other` as it came. Half the time
 * of JSON with names, most of which went into escaping `other`, a JSON text itself: every call pays for this.
 */
export function encodeSettlement(s: Settlement): string {
  const fields = [
    s.seq,
    s.createdAt,
    s.userId,
    s.username,
    s.tokenId,
    s.tokenName,
    s.model,
    s.channelId,
    s.group,
    s.quota,
    s.promptTokens,
    s.completionTokens,
    s.useTimeSeconds,
    s.isStream,
    s.content,
    s.requestId,
    s.logged,
  ]
  return `${JSON.stringify(fields)}\n${s.other}`
}

type Fields = readonly [
  seq: number,
  createdAt: number,
  userId: number,
  username: string,
  tokenId: number,
  tokenName: string,
  model: string,
  channelId: number,
  group: string,
  quota: number,
  promptTokens: number,
  completionTokens: number,
  useTimeSeconds: number,
  isStream: boolean,
  content: string,
  requestId: string,
  logged: boolean,
]

/** Reads what `encodeSettlement` wrote; the entry's checksum has vouched for it. */
export function decodeSettlement(text: string): Settlement {
  const lineEnd = text.indexOf('\n')
  const fields: Fields = JSON.parse(text.slice(0, lineEnd))
  const [seq, createdAt, userId, username, tokenId, tokenName, model, channelId, group, quota, ...rest] =
    fields
  const [promptTokens, completionTokens, useTimeSeconds, isStream, content, requestId, logged] = rest
  return {
    seq,
    createdAt,
    userId,
    username,
    tokenId,
    tokenName,
    model,
    channelId,
    group,
    quota,
    promptTokens,
    completionTokens,
    useTimeSeconds,
    isStream,
    content,
    requestId,
    other: text.slice(lineEnd + 1),
    logged,
  }
}

/** The settlement of a charge at its place; counts that no column holds are brought into range. */
export function settlementOf(seq: number, c: Charge): Settlement {
  return {
    seq,
    createdAt: c.createdAt,
    userId: c.userId,
    username: c.username,
    tokenId: c.tokenId,
    tokenName: c.tokenName,
    model: c.model,
    channelId: c.channelId,
    group: c.group,
    quota: c.quota,
    promptTokens: whole(c.promptTokens),
    completionTokens: whole(c.completionTokens),
    useTimeSeconds: whole(c.useTimeSeconds),
    isStream: c.isStream,
    content: c.content,
    requestId: c.requestId,
    other: c.other,
    logged: c.logged,
  }
}

const maxCount = 2_147_483_647

function whole(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), maxCount) : 0
}
