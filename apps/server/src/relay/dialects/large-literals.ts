import { randomBytes } from 'node:crypto'

/**
 * A JSON text whose large base64 literals stand apart: images are megabytes, and a parser would make another copy of each,
 * as would everybody who writes the body anew. What stands in the text for one of them begins as it does, so that its media
 * type and the size of an image can still be read.
 */
export interface SplitText {
  /** The text with each large literal cut short. */
  readonly text: string
  /** The literals' remainders, in the order of their marks. */
  readonly remainders: readonly string[]
}

/** Shorter literals are copied as quickly as they are found. */
const largeLength = 256 * 1024
/** How much of a literal stays: heads of images with their previews, and a little. */
const keptLength = 64 * 1024
/** Of this process, so that no caller can write one; of letters that base64 has, too. */
const markStart = `TollgateLiteral${randomBytes(12).toString('hex')}N`
const markPattern = new RegExp(`${markStart}(\\d+)E`)

const dataUrl = /^data:[\w.+-]+\/[\w.+-]+;base64,/
/** Keys of base64 in the formats that carry it beside a media type. */
const base64Key = /"(?:data|file_data|bytes)"\s*:\s*$/
/** No character that JSON escapes or forbids, and none that is not base64's. */
const plainBase64 = /^[A-Za-z0-9+/=_-]*$/

export function splitLargeLiterals(text: string): SplitText {
  const remainders: string[] = []
  let split = ''
  let copied = 0
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = endOfLiteral(text, open)
    if (close < 0) break
    if (close - open > largeLength && isBase64(text, open, close)) {
      const cut = open + 1 + keptLength
      split += `${text.slice(copied, cut)}${markStart}${remainders.length}E`
      remainders.push(text.slice(cut, close))
      copied = close
    }
    open = text.indexOf('"', close + 1)
  }
  return remainders.length === 0 ? { text, remainders } : { text: split + text.slice(copied), remainders }
}

/**
 * The text in pieces, with the remainders where their marks stand: put together, they are what was split. The very text where
 * it has no mark.
 */
export function withLargeLiterals(text: string, remainders: readonly string[]): string | readonly string[] {
  if (!text.includes(markStart)) return text
  // Every second part is the place of a remainder.
  return text
    .split(markPattern)
    .map((part, index) => (index % 2 === 0 ? part : (remainders[Number(part)] ?? '')))
}

/** Offset of the closing quote; -1 when there is none. */
function endOfLiteral(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

function isEscaped(text: string, place: number): boolean {
  let before = place - 1
  while (text[before] === '\\') before -= 1
  return (place - 1 - before) % 2 === 1
}

function isBase64(text: string, open: number, close: number): boolean {
  const start = text.slice(open + 1, open + 201)
  const prefix = dataUrl.exec(start)?.[0].length ?? 0
  if (prefix === 0 && !base64Key.test(text.slice(Math.max(0, open - 40), open))) return false
  return plainBase64.test(text.slice(open + 1 + prefix, close))
}
