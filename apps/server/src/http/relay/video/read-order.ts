import { RequestFault, readVideoRequest, type VideoRequest, videoFields } from '@tollgate/formats'
import { readJson, refusalOf } from '../../../relay/dialects/chat-dialect.ts'
import type { FormPart } from '../../../relay/forms/received-form.ts'
import { mediaTypeOf } from '../../../relay/media/media-type.ts'
import type { CallBodies } from '../call-bodies.ts'
import type { RelayContext } from '../relay-context.ts'

export interface OrderReading {
  readonly bodies: CallBodies
  readonly maxJsonDepth: number
}

/** Pictures of an order go out as text within JSON, which is held in memory. */
const maxFileBytes = 20 * 1024 * 1024

/** An order as its caller wrote it, as JSON or as a form. Throws `RelayError`. */
export async function readOrder(
  { request }: RelayContext,
  account: number,
  deps: OrderReading,
): Promise<VideoRequest> {
  const type = request.headers.get('content-type')?.toLowerCase() ?? ''
  try {
    if (!type.startsWith('multipart/form-data'))
      return readVideoRequest(readJson(await deps.bodies.text(request, account), deps.maxJsonDepth).body)
    const form = await deps.bodies.form(request, account)
    try {
      return readVideoRequest(videoFields(await fieldsOf(form.parts)))
    } finally {
      await form.discard()
    }
  } catch (error) {
    if (error instanceof RequestFault) throw refusalOf(error)
    throw error
  }
}

async function fieldsOf(parts: readonly FormPart[]) {
  let left = maxFileBytes
  const fields = []
  for (const part of parts) {
    const { name } = part.head
    if (part.kind === 'file') left -= part.file.size
    if (left < 0) throw unusable(name, `the files of an order may have ${maxFileBytes} bytes together`)
    fields.push({ name, text: part.kind === 'field' ? part.text : await pictureOf(part) })
  }
  return fields
}

async function pictureOf({ head, file }: Extract<FormPart, { kind: 'file' }>): Promise<string> {
  const pieces: Buffer[] = []
  // A piece holds until the next one is asked for.
  for await (const piece of file.read()) pieces.push(Buffer.from(piece))
  const bytes = Buffer.concat(pieces)
  const type = mediaTypeOf(bytes)
  if (type?.startsWith('image/') === true) return `data:${type};base64,${bytes.toString('base64')}`
  throw unusable(head.name, 'send a PNG, JPEG, GIF or WebP image')
}

function unusable(field: string, reason: string): RequestFault {
  return new RequestFault(`${field} is a file that cannot be used: ${reason}`, field, 'invalid_value')
}
