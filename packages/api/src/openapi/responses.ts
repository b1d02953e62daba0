import { z } from 'zod'
import type { Call, ResponseKind } from '../call.ts'
import type { RefusalCode } from '../errors/index.ts'
import type { JsonSchema, OpenApiResponse } from './document-types.ts'
import type { SchemaWriter } from './json-schema.ts'

/** The status of a refusal, by the kind of response of the call. */
export type StatusOf = (code: RefusalCode, response: ResponseKind) => number

const refusal: JsonSchema = { $ref: '#/components/schemas/Refusal' }

/** The response of a success, and each status of refusals. */
export function responsesOf(
  call: Call,
  codes: readonly RefusalCode[],
  statusOf: StatusOf,
  schemas: SchemaWriter,
): Readonly<Record<string, OpenApiResponse>> {
  const kind = call.response ?? 'envelope'
  const responses: Record<string, OpenApiResponse> = {}
  if (call.response === 'redirect' && call.errorPage !== undefined)
    return { 302: redirectOrPage(call.errorPage) }
  for (const status of new Set(codes.map((code) => statusOf(code, kind))))
    responses[status] = refusedWith(
      codes.filter((code) => statusOf(code, kind) === status),
      call,
    )
  if (call.data !== undefined) return { ...responses, 200: envelopeResponse(call, schemas) }
  return { ...responses, [kind === 'redirect' ? 302 : 200]: contents[kind] ?? anyContent }
}

function redirectOrPage(errorPage: string): OpenApiResponse {
  return {
    ...contents['redirect'],
    description: `The browser is sent elsewhere; a refusal sends it to \`${errorPage}?error=<code>\`.`,
  }
}

function refusedWith(codes: readonly RefusalCode[], { data }: Call): OpenApiResponse {
  const content =
    data === undefined
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: refusal } }
  return { description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`, content }
}

function envelopeResponse(call: Call, schemas: SchemaWriter): OpenApiResponse {
  return {
    description: descriptions[call.response ?? 'envelope'] ?? done,
    content: { 'application/json': { schema: { oneOf: [envelopeOf(call, schemas), refusal] } } },
  }
}

const done = 'Done, or refused by a rule: `success` tells which.'
const descriptions: Readonly<Record<string, string>> = {
  wallet:
    'Done, or refused by a rule: `message` is `success` or `error`, and `data` of a refusal is its sentence. There is no `success` beside it.',
}

function envelopeOf(
  { data, extra, response }: Call & { readonly extra?: z.ZodType },
  schemas: SchemaWriter,
): JsonSchema {
  const beside = extra === undefined ? {} : propertiesOf(schemas.write(extra, 'output'), schemas)
  const hasData = data !== undefined && !(data instanceof z.ZodUndefined)
  const outcome =
    response === 'wallet'
      ? { message: { const: 'success' } }
      : { success: { const: true }, message: { type: 'string' } }
  return {
    type: 'object',
    properties: { ...outcome, ...(hasData && { data: schemas.write(data, 'output') }), ...beside },
    required: [...Object.keys(outcome), ...(hasData ? ['data'] : [])],
  }
}

function propertiesOf(
  schema: JsonSchema,
  { components }: SchemaWriter,
): Readonly<Record<string, JsonSchema>> {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
  const shape = name === undefined ? schema : (components[name] ?? {})
  return (shape['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
}

/** Responses of calls with content of their own, by its kind. */
const contents: Readonly<Record<string, OpenApiResponse>> = {
  redirect: {
    description: 'Redirects the browser.',
    headers: { Location: { description: 'The target address.', schema: { type: 'string' } } },
  },
  text: { description: 'Text.', content: { 'text/plain': { schema: { type: 'string' } } } },
  page: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
  bytes: { description: 'A file.', content: { 'application/octet-stream': {} } },
  stream: { description: 'A file, streamed.', content: { 'application/octet-stream': {} } },
}
const anyContent: OpenApiResponse = { description: 'Done.' }
