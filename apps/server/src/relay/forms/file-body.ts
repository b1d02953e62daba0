import { randomUUID } from 'node:crypto'
import type { EncodedTranscription } from '@tollgate/formats'
import type { FormBody } from '../../upstream/call-body.ts'
import type { PartHead } from './form-scanner.ts'
import type { Spool } from './spool.ts'

/** A recording as an upstream is to get it that takes no form. It is read while it is sent. */
export function fileBody(encoded: EncodedTranscription, head: PartHead, file: Spool): FormBody {
  if (encoded.kind === 'bytes') {
    const contentType = /^audio\/[\w.+-]+$/.test(head.contentType)
      ? head.contentType
      : 'application/octet-stream'
    return { contentType, length: file.size, pieces: () => file.read() }
  }
  const mark = randomUUID()
  return jsonWithFiles(JSON.stringify({ ...encoded.body, [encoded.member]: mark }), [{ mark, file }])
}

/** A file that stands in a text where its mark does, as base64. */
export interface Insert {
  /** By chance: nothing else of the text is like it. */
  readonly mark: string
  readonly file: Spool
}

/** @param text JSON, with every mark in it once */
export function jsonWithFiles(text: string, inserts: readonly Insert[]): FormBody {
  const parts = splitAt(text, inserts)
  const length = parts.reduce(
    (sum, { before, file }) =>
      sum + Buffer.byteLength(before) + (file === undefined ? 0 : Math.ceil(file.size / 3) * 4),
    0,
  )
  return {
    contentType: 'application/json',
    length,
    async *pieces() {
      for (const { before, file } of parts) {
        yield Buffer.from(before)
        if (file !== undefined) yield* base64Of(file.read())
      }
    },
  }
}

interface TextPart {
  readonly before: string
  readonly file: Spool | undefined
}

function splitAt(text: string, inserts: readonly Insert[]): readonly TextPart[] {
  const places = inserts
    .map(({ mark, file }) => ({ start: text.indexOf(mark), end: text.indexOf(mark) + mark.length, file }))
    .filter(({ start }) => start >= 0)
    .toSorted((a, b) => a.start - b.start)
  const parts = places.map(({ start, file }, at) => ({
    before: text.slice(places[at - 1]?.end ?? 0, start),
    file,
  }))
  return [...parts, { before: text.slice(places.at(-1)?.end ?? 0), file: undefined }]
}

/** Groups of three bytes become four letters: what is over waits for the next piece. */
async function* base64Of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let leftover: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([leftover, piece])
    const groupedBytes = bytes.length - (bytes.length % 3)
    // Of a copy: the piece's own buffer may be used again.
    leftover = bytes.subarray(groupedBytes)
    yield Buffer.from(bytes.toString('base64', 0, groupedBytes))
  }
  yield Buffer.from(Buffer.from(leftover).toString('base64'))
}
