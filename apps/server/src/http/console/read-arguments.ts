import type { Call } from '@tollgate/api'
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import { Refusal } from '../../lib/refusal.ts'
import { parseForm, parseJson, readBytes } from './read-body.ts'

interface CallArgumentsRead {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/**
 * What a request carries, checked by the call's schemas. Refuses with the name of the first wrong field.
 * @param bytes of the body, when it has been read before
 */
export async function readArguments(
  call: Call,
  request: HonoRequest,
  bytes?: Uint8Array,
): Promise<CallArgumentsRead> {
  return {
    ...(call.params && { params: parse(call.params, request.param(), 'path') }),
    ...(call.query && { query: parse(call.query, request.query(), 'query') }),
    ...(await readBody(call, request, bytes)),
  }
}

async function readBody(call: Call, request: HonoRequest, known?: Uint8Array): Promise<CallArgumentsRead> {
  if (call.accepts !== 'raw' && call.body === undefined) return {}
  const bytes = known ?? (await readBytes(call, request.raw))
  if (call.accepts === 'raw') return { body: bytes }
  const fields =
    call.accepts === 'form'
      ? await parseForm(bytes, request.header('content-type') ?? null)
      : parseJson(bytes)
  return call.body === undefined ? {} : { body: parse(call.body, fields, 'body') }
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
