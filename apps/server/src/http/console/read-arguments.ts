import type { Call } from '@tollgate/api'
import { scanTopLevel } from '@tollgate/formats'
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import { Refusal } from '../../lib/refusal.ts'

/** Console calls carry forms, not documents. */
const maximumBodyBytes = 1024 * 1024
const maximumDepth = 16

export interface CallArgumentsRead {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** What a request carries, checked by the call's schemas. Refuses with the name of the first wrong field. */
export async function readArguments(call: Call, request: HonoRequest): Promise<CallArgumentsRead> {
  return {
    ...(call.params && { params: parse(call.params, request.param(), 'path') }),
    ...(call.query && { query: parse(call.query, request.query(), 'query') }),
    ...(call.body && { body: parse(call.body, await readJson(request.raw), 'body') }),
  }
}

function parse(schema: z.ZodType, value: unknown, place: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Refusal('invalid_parameter', { detail: issue === undefined ? place : describe(issue, place) })
}

/** `remain_quota (int)`: field and what it must be, in words of both languages' programs. */
function describe(issue: z.core.$ZodIssue, place: string): string {
  const field = issue.path.length === 0 ? place : issue.path.join('.')
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

async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request)
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

/** Counts the bytes that arrive: a missing or lying Content-Length changes nothing. */
async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maximumBodyBytes) throw tooLarge()
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of whatComes(request.body)) {
    size += chunk.byteLength
    if (size > maximumBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A caller that hangs up in the middle, or whose chunks are none, is no fault of ours. */
async function* whatComes(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw notJson()
  }
}

function tooLarge(): Refusal {
  return new Refusal('body_too_large', { max: maximumBodyBytes })
}
