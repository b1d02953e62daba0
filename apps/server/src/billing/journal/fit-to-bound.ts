import type { Settlement } from '../../store/settlement.ts'
import { encodeSettlement } from '../../store/settlement-text.ts'
import { maxPayloadBytes } from './entry.ts'

/** Units kept of each text when an entry is over its bound; three bytes each, they leave room for `other`. */
const textLimits = {
  username: 64,
  tokenName: 64,
  model: 128,
  group: 64,
  content: 512,
  requestId: 64,
} as const

/** Everything of a settlement but its number. */
type Charge = Omit<Settlement, 'seq'>

type LimitedText = keyof typeof textLimits

const limitedTexts = Object.keys(textLimits) as readonly LimitedText[]

/**
 * The charge cut so that its entry under the number `seq` keeps the bound. Money, accounts and counts are never touched.
 */
export function fitToBound(seq: number, charge: Charge): Charge {
  if (sizeOf(seq, charge) <= maxPayloadBytes) return charge
  const cut = withTexts(charge, (text, name) => clean(text.slice(0, textLimits[name])))
  return { ...cut, other: fitOther(cut.other, maxPayloadBytes - sizeOf(seq, { ...cut, other: '' })) }
}

function sizeOf(seq: number, charge: Charge): number {
  return Buffer.byteLength(encodeSettlement(seq, charge))
}

function withTexts(charge: Charge, change: (text: string, name: LimitedText) => string): Charge {
  const changed: Partial<Record<LimitedText, string>> = {}
  for (const name of limitedTexts) changed[name] = change(charge[name], name)
  return { ...charge, ...changed }
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
