import type { Settlement } from '../../store/store.ts'
import { keepsBound, maxPayloadBytes } from './entry.ts'
import { encodeSettlement } from './settlement-text.ts'

/** Units kept of each text when an entry is over its bound; three bytes each, they leave room for `other`. */
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

/** PostgreSQL stores no NUL in text: one such name would hold up every charge behind it. */
const unstorable = '\u0000'
const escapedNul = '\\u0000'

/** Whether every database can store its texts. @param text the settlement, encoded */
export function isStorable(settlement: Settlement, text: string): boolean {
  // Most are told by one look: NUL is escaped in the fields, and `other` follows as it came.
  if (!text.includes(escapedNul) && !text.includes(unstorable)) return true
  return !(
    limitedTexts.some((name) => settlement[name].includes(unstorable)) ||
    settlement.other.includes(unstorable)
  )
}

/**
 * The settlement made storable and, when its entry would be over the bound, cut. Money, accounts and counts are
 * never touched.
 */
export function fitToBound(settlement: Settlement): Settlement {
  const whole = storable(settlement)
  if (keepsBound(whole)) return whole
  const cut = withTexts(whole, (text, name) => clean(text.slice(0, textLimits[name])))
  const room = maxPayloadBytes - Buffer.byteLength(encodeSettlement({ ...cut, other: '' }))
  return { ...cut, other: fitOther(cut.other, room) }
}

function storable(settlement: Settlement): Settlement {
  const without = (text: string) => text.replaceAll(unstorable, '')
  return { ...withTexts(settlement, without), other: without(settlement.other) }
}

function withTexts(settlement: Settlement, change: (text: string, name: LimitedText) => string): Settlement {
  const changed: Partial<Record<LimitedText, string>> = {}
  for (const name of limitedTexts) changed[name] = change(settlement[name], name)
  return { ...settlement, ...changed }
}

/** Without control characters and lone surrogates no unit takes more than three bytes of JSON. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}

/** What explains the charge (numbers and marks) is kept longest; the story of the attempts goes first. */
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
