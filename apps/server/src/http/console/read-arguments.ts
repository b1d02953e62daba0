import type { Call, WrappedBody } from '@tollgate/api'
import { scanTopLevel } from '@tollgate/formats'
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import { Refusal } from '../../lib/refusal.ts'
import { readableQuery } from './ignored/foreign-query.ts'
import type { Ignored } from './ignored/ignored-reports.ts'
import { withTextsOfLists } from './ignored/lists-beside-texts.ts'
import { ignoredMembers } from './ignored/unknown-members.ts'

/** Arguments that were read from a request, by their position in it. */
export interface CallArgumentsRead {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/**
 * Reads the arguments of a request, checked by the call's schemas. Refuses with the name of the first wrong field.
 * @param query in the names of the call
 * @param bytes of the body, when it has been read before
 * @param ignored hears of what was sent and is not read: `fields` of the body, `parameters` of the query
 */
export async function readArguments(
  call: Call,
  request: HonoRequest,
  query: Readonly<Record<string, string>>,
  bytes: Uint8Array | undefined,
  ignored: Ignored,
): Promise<CallArgumentsRead> {
  return {
    ...(call.params && { params: parse(call.params, request.param(), 'path') }),
    ...(call.query && { query: readQuery(call, call.query, query, ignored) }),
    ...(await readBody(call, request, bytes, ignored)),
  }
}

async function readBody(
  call: Call,
  request: HonoRequest,
  known: Uint8Array | undefined,
  ignored: Ignored,
): Promise<CallArgumentsRead> {
  if (call.accepts !== 'raw' && call.body === undefined) return {}
  const bytes = known ?? (await readBytes(call, request.raw))
  if (call.accepts === 'raw') return { body: bytes }
  const fields =
    call.accepts === 'form'
      ? await parseForm(bytes, request.header('content-type') ?? null)
      : parseJson(bytes)
  if (call.body === undefined) return {}
  const own = withTextsOfLists(call, call.body, unwrapped(call.wrapped, fields))
  // Before the fields are judged: a wrong name is often why another is missing. Whoever signs a body signs fields of their own, too.
  if (call.access !== 'signature') ignored('fields', ignoredMembers(call, call.body, own))
  return { body: parse(call.body, own, 'body') }
}

/** The fields of a body that programs send in a member of it, beside what stands around them; any other body as it is. */
function unwrapped(wrapped: WrappedBody | undefined, body: unknown): unknown {
  if (wrapped === undefined || !isFields(body)) return body
  const { [wrapped.member]: inner, mode, ...around } = body
  if (!isFields(inner)) return body
  const own = typeof mode === 'string' && Object.hasOwn(wrapped.modes, mode) ? wrapped.modes[mode] : mode
  return { ...around, ...inner, ...(own !== undefined && { mode: own }) }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The query of a call. Where the contract that other consoles know has the call, a value that cannot be read in a parameter that only
 * we have is left out: it is somebody else's parameter of the same name.
 */
function readQuery(
  call: Call,
  schema: z.ZodType,
  query: Readonly<Record<string, string>>,
  ignored: Ignored,
): unknown {
  const readable = readableQuery(call, schema, query)
  ignored(
    'parameters',
    Object.keys(query).filter((name) => !Object.hasOwn(readable, name)),
  )
  return parse(schema, readable, 'query')
}

function parse(schema: z.ZodType, value: unknown, position: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Refusal('invalid_parameter', {
    detail: issue === undefined ? position : describe(issue, position),
  })
}

/** `remain_quota (int)`: field and what it must be, in words of both languages' programs. */
function describe(issue: z.core.$ZodIssue, position: string): string {
  const field = issue.path.length === 0 ? position : issue.path.join('.')
  const rule = ruleOf(issue)
  return rule === '' ? field : `${field} (${rule})`
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected
    case 'too_big':
      return `max ${issue.maximum}`
    case 'too_small':
      return `min ${issue.minimum}`
    case 'custom':
      return issue.message ?? ''
    default:
      return ''
  }
}

/** Limits of JSON and forms: console calls carry fields, not documents. */
const maxFieldsBytes = 1024 * 1024
const maxDepth = 16
const maxFormFields = 1000

/** The body as it was sent. Counts the bytes that arrive: a missing or lying Content-Length changes nothing. */
export async function readBytes(call: Call, request: Request): Promise<Uint8Array> {
  const limit = call.accepts === 'raw' ? call.maxBodyBytes : maxFieldsBytes
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
function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  // Judged before the parser sees it: a megabyte of brackets would hold up every stream of the process.
  if (!scanTopLevel(text, maxDepth).ok) throw notJson()
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
async function parseForm(
  bytes: Uint8Array,
  contentType: string | null,
): Promise<Readonly<Record<string, string>>> {
  const entries = [...(await formEntries(bytes, contentType ?? ''))]
  if (entries.length > maxFormFields) throw notForm()
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
