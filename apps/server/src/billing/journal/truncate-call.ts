import { encodePayload, entryHeaderBytes, type SettledCall } from '../../store/settlement.ts'

/** An entry with its header takes 4 KiB at most. */
export const maxPayloadBytes = 4096 - entryHeaderBytes

/** UTF-16 units that remain of each text when an entry is over its bound; at three bytes each they leave room for `other`. */
const textLimits = {
  username: 64,
  tokenName: 64,
  model: 128,
  group: 64,
  content: 512,
  requestId: 64,
} as const

type LimitedText = keyof typeof textLimits

const limitedTexts = Object.keys(textLimits) as readonly LimitedText[]

/**
 * Shortens a call so that its entry stays within the bound. Never changes money, accounts or counts.
 */
export function truncateCall(call: SettledCall): SettledCall {
  if (sizeOf(call) <= maxPayloadBytes) return call
  const cut = withTexts(call, (text, name) => clean(text.slice(0, textLimits[name])))
  return { ...cut, other: fitOther(cut.other, maxPayloadBytes - sizeOf({ ...cut, other: '' })) }
}

function sizeOf(call: SettledCall): number {
  return Buffer.byteLength(encodePayload(call))
}

function withTexts(call: SettledCall, change: (text: string, name: LimitedText) => string): SettledCall {
  const changed: Partial<Record<LimitedText, string>> = {}
  for (const name of limitedTexts) changed[name] = change(call[name], name)
  return { ...call, ...changed }
}

/** Removes control characters and lone surrogates: without them no unit takes more than three bytes of JSON. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}

/** Drops the list of attempts first; numbers and flags, which explain the charge, remain longest. */
function fitOther(other: string, room: number): string {
  if (Buffer.byteLength(other) <= room) return other
  const figures = JSON.stringify(figuresOf(other))
  return Buffer.byteLength(figures) <= room ? figures : ''
}

function figuresOf(other: string): Record<string, number | boolean> {
  const figures: Record<string, number | boolean> = {}
  for (const [name, value] of Object.entries(parsed(other))) {
    if (typeof value === 'number' || typeof value === 'boolean') figures[name] = value
  }
  return figures
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
