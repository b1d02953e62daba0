import type { Call } from '@tollgate/api'
import { scanTopLevel } from '@tollgate/formats'
import { Refusal } from '../../lib/refusal.ts'

/** Of JSON and forms: console calls carry fields, not documents. */
const maximumFieldsBytes = 1024 * 1024
const maximumDepth = 16
const maximumFormFields = 1000

/** The body as it was sent. Counts the bytes that arrive: a missing or lying Content-Length changes nothing. */
export async function readBytes(call: Call, request: Request): Promise<Uint8Array> {
  const limit = call.accepts === 'raw' ? call.maxBodyBytes : maximumFieldsBytes
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of whatComes(request.body)) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A caller that hangs up in the middle, or whose chunks are none, is no fault of ours. */
async function* whatComes(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw new Refusal('invalid_parameter', { detail: 'body' })
  }
}

function tooLarge(max: number): Refusal {
  return new Refusal('body_too_large', { max })
}

/** The fields of a JSON object. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  // Judged before the parser sees it: a megabyte of brackets would hold up every stream of the process.
  if (!scanTopLevel(text, maximumDepth).ok) throw notJson()
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

function notJson(): Refusal {
  return new Refusal('invalid_parameter', { detail: 'body (JSON object)' })
}

/**
 * The fields of a form, urlencoded or multipart. Texts only, and each name once: of two values with one name, what was
 * signed and what is read might not be the same.
 */
export async function parseForm(
  bytes: Uint8Array,
  contentType: string | null,
): Promise<Readonly<Record<string, string>>> {
  const entries = [...(await formEntries(bytes, contentType ?? ''))]
  if (entries.length > maximumFormFields) throw notForm()
  const fields = new Map<string, string>()
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw new Refusal('invalid_parameter', { detail: `${name} (text)` })
    if (fields.has(name)) throw new Refusal('invalid_parameter', { detail: `${name} (once)` })
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

async function formEntries(
  bytes: Uint8Array,
  contentType: string,
): Promise<Iterable<readonly [string, unknown]>> {
  if (bytes.length === 0) return []
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return new URLSearchParams(textOf(bytes))
  if (!/^multipart\/form-data\b/i.test(contentType)) throw notForm()
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw notForm()
  }
}

function notForm(): Refusal {
  return new Refusal('invalid_parameter', { detail: 'body (form)' })
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
