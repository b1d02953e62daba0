/**
 * Byte-pair encoding takes time with the square of an unbroken run: 100 kB of one letter are ten seconds. Runs are
 * cut at this length, which moves a count by a token per cut at most.
 */
export const maxRun = 1000

/** base64 carries no words; a token of it stands for so many characters, near enough. */
const charactersPerBase64Token = 2

const base64Run = /^(?:.{0,100};base64,)?[A-Za-z0-9+/_-]+={0,2}$/

/** A text as it can be counted in a time that grows with its length and no faster. */
export interface CountableText {
  readonly pieces: readonly string[]
  /** Tokens of what is not worth counting. */
  readonly estimated: number
}

export function countableText(text: string): CountableText {
  if (text.length <= maxRun) return { pieces: [text], estimated: 0 }
  const pieces: string[] = []
  let estimated = 0
  let start = 0
  for (const { 0: run, index } of text.matchAll(/\S+|\s+/g)) {
    if (run.length <= maxRun) continue
    pieces.push(text.slice(start, index))
    start = index + run.length
    if (base64Run.test(run)) estimated += Math.ceil(run.length / charactersPerBase64Token)
    else pieces.push(...cut(run))
  }
  pieces.push(text.slice(start))
  return { pieces: pieces.filter((piece) => piece !== ''), estimated }
}

function cut(run: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < run.length) {
    const end = start + maxRun
    // Never between the two halves of a character.
    const pieceEnd = isHighSurrogate(run.charCodeAt(end - 1)) ? end + 1 : end
    pieces.push(run.slice(start, pieceEnd))
    start = pieceEnd
  }
  return pieces
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
