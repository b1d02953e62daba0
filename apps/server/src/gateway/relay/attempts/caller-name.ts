import { MemberEditor, modelMembers, type StreamReader, type WholeBodyReader } from '@tollgate/formats'
import type { RelayCall } from '../call.ts'
import type { ResponseReading } from '../dialects/dialect.ts'
import { EditingReader, type PieceEdit } from '../dialects/received-response.ts'
import { byteForm } from '../dialects/stream-form.ts'

type Read = Extract<ResponseReading, { ok: true }>
type NamedCall = Pick<RelayCall, 'request' | 'trace'>

/**
 * The editor that names the model as the caller did; `undefined` where the upstream was asked for it by that name. Then its
 * bytes pass, with whatever snapshot they name.
 */
function editorFor({ request, trace }: NamedCall): MemberEditor | undefined {
  if (trace.sentModel === request.model) return undefined
  return new MemberEditor(modelMembers(request.format, request.model))
}

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }

function pieceEdit(bytes: PieceEdit['bytes']): PieceEdit {
  return { bytes, text: (piece) => utf8.decoder.decode(bytes(utf8.encoder.encode(piece))) }
}

/** A stream of complete events that names the model as its caller did. A recording names none. */
export function namedStream(reader: StreamReader, call: NamedCall): StreamReader {
  const editor = call.request.streamForm === byteForm ? undefined : editorFor(call)
  if (editor === undefined) return reader
  const edit = pieceEdit((piece) => {
    editor.reset()
    return editor.edit(piece)
  })
  return new EditingReader(reader, edit)
}

/** The same of a body that passes as it comes, with the edit of the pieces that came before its reader was there. */
export function namedWhole(
  reader: WholeBodyReader,
  call: NamedCall,
): {
  readonly reader: StreamReader
  readonly edited: (pieces: readonly Uint8Array[]) => readonly Uint8Array[]
} {
  const editor = editorFor(call)
  if (editor === undefined) return { reader, edited: (pieces) => pieces }
  const edit = pieceEdit((piece) => editor.edit(piece))
  return {
    reader: new EditingReader(reader, edit),
    edited: (pieces) => pieces.map((piece) => edit.bytes(piece)),
  }
}

const jsonType = /^application\/json\b/i

/** A buffered response that names the model as its caller did. */
export function namedReading(reading: Read, contentType: string, call: NamedCall): Read {
  if (call.trace.sentModel === call.request.model || !jsonType.test(contentType)) return reading
  const { usage, latestUsage, made, leftOut, ended, contentType: ownType } = reading
  return {
    ok: true,
    usage,
    latestUsage,
    made,
    leftOut,
    contentType: ownType,
    ...(ended !== undefined && { ended }),
    delivered: () => reading.delivered(),
    encode: (charged) => named(reading.encode(charged), call),
  }
}

function named(body: Uint8Array | string, call: NamedCall): Uint8Array | string {
  const editor = editorFor(call)
  if (editor === undefined) return body
  const edit = pieceEdit((piece) => editor.edit(piece))
  return typeof body === 'string' ? edit.text(body) : edit.bytes(body)
}
