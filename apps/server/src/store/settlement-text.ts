import type { Settlement } from './settlement.ts'

/** Everything of a settlement but its number. */
type Charge = Omit<Settlement, 'seq'>

/**
 * A settlement as text: one line of JSON with the fields in a fixed order, then `other` as it came. Half the time
 * of JSON with names, most of which went into escaping `other`, a JSON text itself: every call pays for this.
 * Counts that no column holds are brought into range.
 */
export function encodeSettlement(seq: number, charge: Charge): string {
  const fields = [
    seq,
    charge.createdAt,
    charge.userId,
    charge.username,
    charge.tokenId,
    charge.tokenName,
    charge.model,
    charge.channelId,
    charge.group,
    charge.quota,
    inRange(charge.promptTokens),
    inRange(charge.completionTokens),
    inRange(charge.useTimeSeconds),
    charge.isStream,
    charge.content,
    charge.requestId,
    charge.logged,
  ]
  return `${JSON.stringify(fields)}\n${charge.other}`
}

const maxCount = 2_147_483_647

function inRange(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), maxCount) : 0
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

/** Reads what `encodeSettlement` wrote; whoever kept the text has vouched for it. */
export function decodeSettlement(text: string): Settlement {
  const lineEnd = text.indexOf('\n')
  const fields: Fields = JSON.parse(text.slice(0, lineEnd))
  return {
    seq: fields[0],
    createdAt: fields[1],
    userId: fields[2],
    username: fields[3],
    tokenId: fields[4],
    tokenName: fields[5],
    model: fields[6],
    channelId: fields[7],
    group: fields[8],
    quota: fields[9],
    promptTokens: fields[10],
    completionTokens: fields[11],
    useTimeSeconds: fields[12],
    isStream: fields[13],
    content: fields[14],
    requestId: fields[15],
    logged: fields[16],
    other: text.slice(lineEnd + 1),
  }
}
