/** Ways in which the same bytes come in pieces over a connection. */
export const chunkings = {
  buffered: (frames: readonly string[]) => [Buffer.from(frames.join(''))],
  'event by event': (frames: readonly string[]) => frames.map((frame) => Buffer.from(frame)),
  'in random pieces': (frames: readonly string[], name: string) =>
    randomPieces(Buffer.from(frames.join('')), seedOf(name)),
} as const satisfies Record<string, (frames: readonly string[], name: string) => readonly Buffer[]>

export type Chunking = keyof typeof chunkings

/** Number of pieces, at most: each costs a turn of both event loops. */
const maxPieces = 60

/** Lines and characters are cut anywhere; the same seed cuts at the same places. */
function randomPieces(bytes: Buffer, seed: number): readonly Buffer[] {
  const random = numbersFrom(seed)
  const standard = Math.max(1, Math.ceil((2 * bytes.length) / maxPieces))
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * standard)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** Mulberry32: numbers from 0 up to 1. */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Every recording is cut elsewhere, and always there. */
function seedOf(name: string): number {
  return [...name].reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0, 7)
}
