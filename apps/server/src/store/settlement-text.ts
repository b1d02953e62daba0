import type { Settlement } from './settlement.ts'

/** Everything of a settlement but its number. */
type Charge = Omit<Settlement, 'seq'>

/**
 * A settlement as text: one line of JSON with the fields in a fixed order, numbers before texts, then `other` as it
 * came. Half the time of JSON with names, most of which went into escaping `other`, a JSON text itself: every call pays
 * for this. Counts that no column holds are brought into range.
 */
export function encodeSettlement(seq: number, charge: Charge): string {
  const fields = [
    seq,
    charge.createdAt,
    charge.userId,
    charge.tokenId,
    charge.channelId,
    charge.quota,
    inRange(charge.promptTokens),
    inRange(charge.completionTokens),
    inRange(charge.useTimeSeconds),
    charge.isStream ? 1 : 0,
    charge.logged ? 1 : 0,
    charge.kind === 'error' ? 1 : 0,
    charge.username,
    charge.tokenName,
    charge.model,
    charge.group,
    charge.content,
    charge.requestId,
  ]
  return `${JSON.stringify(fields)}\n${charge.other}`
}

const maxCount = 2_147_483_647

function inRange(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), maxCount) : 0
}

const numberCount = 12

function kindOf(number: number | undefined): Settlement['kind'] {
  return number === 1 ? 'error' : 'consumption'
}

/** @param numbers and texts in the order in which they are written */
function settlementOf(numbers: ArrayLike<number>, texts: readonly string[], other: string): Settlement {
  return {
    kind: kindOf(numbers[11]),
    seq: numbers[0] ?? 0,
    createdAt: numbers[1] ?? 0,
    userId: numbers[2] ?? 0,
    username: texts[0] ?? '',
    tokenId: numbers[3] ?? 0,
    tokenName: texts[1] ?? '',
    model: texts[2] ?? '',
    channelId: numbers[4] ?? 0,
    group: texts[3] ?? '',
    quota: numbers[5] ?? 0,
    promptTokens: numbers[6] ?? 0,
    completionTokens: numbers[7] ?? 0,
    useTimeSeconds: numbers[8] ?? 0,
    isStream: numbers[9] === 1,
    content: texts[4] ?? '',
    requestId: texts[5] ?? '',
    logged: numbers[10] === 1,
    other,
  }
}

/** Reads what `encodeSettlement` wrote; whoever kept the text has vouched for it. */
export function decodeSettlement(text: string): Settlement {
  const lineEnd = text.indexOf('\n')
  const fields: readonly (number | string)[] = JSON.parse(text.slice(0, lineEnd))
  const other = text.slice(lineEnd + 1)
  return settlementOf(fields.slice(0, numberCount) as number[], fields.slice(numberCount) as string[], other)
}

const code = { zero: 0x30, comma: 0x2c, quote: 0x22 } as const

/** Of the settlement that is being read. */
const readNumbers = new Float64Array(numberCount)

/**
 * `decodeSettlement` of UTF-8 where it lies, in a tenth less time, and a third less where names differ from call to call.
 * Only what is written as nearly every call is: whole numbers, and nothing that is escaped. `undefined` for the others.
 */
export function readPlainSettlement(bytes: Buffer, start: number, end: number): Settlement | undefined {
  const textsAt = readNumbersInto(readNumbers, bytes, start + 1)
  if (textsAt === undefined || bytes[textsAt] !== code.quote) return undefined
  const text = bytes.toString('utf8', textsAt + 1, end)
  const lineEnd = text.indexOf('\n')
  const line = text.slice(0, lineEnd - endOfTexts.length)
  if (line.includes('\\')) return undefined
  return settlementOf(readNumbers, line.split(betweenTexts), text.slice(lineEnd + 1))
}

const betweenTexts = '","'
const endOfTexts = '"]'

/** Returns where the texts begin; `undefined` when a number is not written as digits alone. */
function readNumbersInto(numbers: Float64Array, bytes: Buffer, start: number): number | undefined {
  let at = start
  for (let place = 0; place < numberCount; place += 1) {
    let number = 0
    for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, at)) {
      number = number * 10 + digit
      at += 1
    }
    if (bytes[at] !== code.comma) return undefined
    at += 1
    numbers[place] = number
  }
  return at
}

/** -1 for what is no digit. */
function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - code.zero
  return digit <= 9 ? Math.max(digit, -1) : -1
}
