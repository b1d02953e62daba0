import { randomUUID } from 'node:crypto'
import type { EncodedTranscription } from '@tollgate/formats'
import type { FormBody } from '../../../upstream/request-body/sent-body.ts'
import type { PartHead } from './form-scanner.ts'
import type { FormPart, Spool } from './received-form.ts'

/** Fields that an upstream gets otherwise than they came: a text instead, or none. */
type FieldEdits = ReadonlyMap<string, string | undefined>

/** A part as it is sent: of a file nothing but its bytes matters. */
type SentPart =
  | Extract<FormPart, { kind: 'field' }>
  | {
      readonly kind: 'file'
      readonly head: PartHead
      readonly file: { readonly size: number; read(): AsyncIterable<Uint8Array> }
    }

/**
 * A form as an upstream is to get it: the parts in their order, files read while they are sent. Fields that the caller did
 * not send stand before them.
 */
export function formBody(parts: readonly SentPart[], edits: FieldEdits): FormBody {
  // Random, so that no part can hold it.
  const boundary = `tollgate-${randomUUID()}`
  const edited = editedParts(parts, edits)
  const end = `--${boundary}--\r\n`
  const heads = edited.map(({ head }) => headText(boundary, head))
  const sizes = edited.map((part) => (part.kind === 'file' ? part.file.size : Buffer.byteLength(part.text)))
  const length = [...heads, end].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: length + sizes.reduce((sum, size) => sum + size + lineEnd.length, 0),
    async *pieces() {
      for (const [position, part] of edited.entries()) {
        yield Buffer.from(heads[position] ?? '')
        if (part.kind === 'file') yield* part.file.read()
        else yield Buffer.from(part.text)
        yield lineEnd
      }
      yield Buffer.from(end)
    },
  }
}

const lineEnd = Buffer.from('\r\n')

function editedParts(parts: readonly SentPart[], edits: FieldEdits): readonly SentPart[] {
  const added = [...edits].flatMap(([name, text]) => (text === undefined ? [] : [field(name, text)]))
  return [...added, ...parts.filter(({ head }) => !edits.has(head.name))]
}

function field(name: string, text: string): SentPart {
  return { kind: 'field', head: { name, fileName: undefined, contentType: '' }, text }
}

function headText(boundary: string, { name, fileName, contentType }: PartHead): string {
  const file = fileName === undefined ? '' : `; filename="${escaped(fileName)}"`
  const type = contentType === '' ? '' : `Content-Type: ${contentType.replace(/[^ -~]/g, '')}\r\n`
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n${type}\r\n`
}

/**
 * Escapes a name as browsers do; no other control character is valid in a head.
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function escaped(name: string): string {
  const text = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return text.replace(/\p{Cc}/gu, '')
}

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

/** A file that replaces its mark in a text, as base64. */
export interface Insert {
  /** Random text that occurs nowhere else. */
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
  const positions = inserts
    .map(({ mark, file }) => ({ start: text.indexOf(mark), end: text.indexOf(mark) + mark.length, file }))
    .filter(({ start }) => start >= 0)
    .toSorted((a, b) => a.start - b.start)
  const parts = positions.map(({ start, file }, at) => ({
    before: text.slice(positions[at - 1]?.end ?? 0, start),
    file,
  }))
  return [...parts, { before: text.slice(positions.at(-1)?.end ?? 0), file: undefined }]
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
