import { randomUUID } from 'node:crypto'
import type { FormBody } from '../../upstream/call-body.ts'
import type { PartHead } from './form-scanner.ts'
import type { FormPart } from './received-form.ts'

/** Fields that an upstream gets otherwise than they came: a text instead, or none. */
export type FieldEdits = ReadonlyMap<string, string | undefined>

/** A part as it is sent: of a file nothing but its bytes matters. */
export type SentPart =
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
  // By chance: nobody who writes a part can end it.
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
      for (const [place, part] of edited.entries()) {
        yield Buffer.from(heads[place] ?? '')
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

/** As browsers do; no other control character has a place in a head. https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function escaped(name: string): string {
  const text = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return text.replace(/\p{Cc}/gu, '')
}
