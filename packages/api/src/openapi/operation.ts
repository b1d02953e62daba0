import type { z } from 'zod'
import { partsOf } from '../admin-parts.ts'
import type { Access, Call } from '../call.ts'
import { type RefusalCode, refusalTexts } from '../errors/index.ts'
import {
  acts,
  alwaysAsksForProof,
  type EffectProof,
  proofConditionOf,
  recentProofSeconds,
} from '../recent-proof.ts'
import { keyHeaders } from '../secret-fields.ts'
import type {
  JsonSchema,
  OpenApiBody,
  OpenApiOperation,
  OpenApiParameter,
  SecurityRequirement,
} from './document-types.ts'
import type { SchemaWriter } from './json-schema.ts'
import { responsesOf, type StatusOf } from './responses.ts'
import { summaryOf } from './summaries/index.ts'

interface CallName {
  /** Group and name of the call in the contract. */
  readonly group: string
  readonly name: string
}

/** One call as an OpenAPI operation. */
export function operationOf(
  call: Call,
  { group, name }: CallName,
  schemas: SchemaWriter,
  statusOf: StatusOf,
): OpenApiOperation {
  const refusals = refusalsOf(call)
  const requestBody = bodyOf(call, schemas)
  const line = `${call.method} ${call.path}`
  const summary = summaryOf(call) ?? { en: line, zh: line }
  return {
    operationId: `${group}.${name}`,
    summary: summary.en,
    'x-summary-zh': summary.zh,
    description: descriptionOf(call),
    tags: [group],
    security: securityOf(call),
    parameters: parametersOf(call, schemas),
    ...(requestBody && { requestBody }),
    responses: responsesOf(call, refusals, statusOf, schemas),
    'x-access': call.access,
    ...(call.part !== undefined && { 'x-part': call.part }),
    'x-response-kind': call.response ?? 'envelope',
    ...(needsSession(call) && { 'x-session-only': true }),
    ...(proofConditionOf(call) && { 'x-recent-proof': true }),
    ...(call.critical && { 'x-critical': true }),
    ...(actsByGet(call) && { 'x-changes': true }),
    'x-also-at': templateOf(otherSpelling(call.path)),
    'x-refusals': refusals,
  }
}

/** `/api/user/:id` as an OpenAPI path: `/api/user/{id}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function otherSpelling(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

const accessSentences = {
  public: 'Open to everybody.',
  user: 'For every user.',
  admin: 'For administrators and the root user.',
  root: 'For the root user.',
  signature: 'For the sender of a signed request; a session does not open it.',
  'relay-key': 'For the holder of an API key.',
} as const

/** Returns the sentence about the part that an administrator needs. */
function partSentence({ part, partForEffect }: Call): string | undefined {
  const parts = part === undefined ? [] : partsOf(part)
  if (parts.length === 0) return undefined
  const needed = parts.map((one) => `\`${one}\``).join(' or ')
  const besides =
    partForEffect && `, and \`${partForEffect.part}\` where it ${effectVerbs[partForEffect.effect]}`
  return `An administrator needs the part ${needed}${besides ?? ''}.`
}

const effectVerbs = {
  'moves-a-balance': 'moves a balance',
  'changes-a-channel': 'changes a channel',
} as const satisfies Record<NonNullable<Call['partForEffect']>['effect'], string>

function actsByGet(call: Call): boolean {
  return call.method === 'GET' && acts(call)
}

const effects = {
  'sends-stored-keys-elsewhere': 'Where it sends stored keys to another address, it',
  'reverts-what-was-proven': 'Where the change needed one, it',
  'changes-a-proven-option': 'Where it changes the ratio of top-ups, it',
} as const satisfies Record<EffectProof['forEffect'], string>

function proofSentence(call: Call): string | undefined {
  const condition = proofConditionOf(call)
  if (condition === undefined) return undefined
  const instead =
    typeof condition === 'object' && 'provenBy' in condition ? `, or the right \`${condition.provenBy}\`` : ''
  const asks = `asks for a session that has proven whose it is within ${recentProofSeconds / 60} minutes${instead}.`
  return `${proofSubject(condition)} ${asks}`
}

/** Returns the subject of the sentence about the proof: the uses that demand it. */
function proofSubject(condition: NonNullable<ReturnType<typeof proofConditionOf>>): string {
  if (condition === true) return 'It'
  if ('byOption' in condition) return 'For options that let people in, or carry mail, money or keys, it'
  if ('forEffect' in condition) return effects[condition.forEffect]
  const { forField, forValues } = condition
  if (forField === undefined) return 'It'
  return forValues === undefined
    ? `With \`${forField}\`, it`
    : `With \`${forField}\` ${forValues.map((value) => `\`${value}\``).join(', ')}, it`
}

function descriptionOf(call: Call): string {
  return [
    accessSentences[call.access],
    partSentence(call),
    needsSession(call) && 'Needs a login session: a system access token is refused.',
    proofSentence(call),
    call.critical && 'Failed tries are counted for each address by a stricter limit.',
    actsByGet(call) && 'Acts although it is a GET: an access token that only reads is refused.',
    `Also served at \`${templateOf(otherSpelling(call.path))}\`, without a redirect.`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

/** Path and query of a call. */
function parametersOf(call: Call, schemas: SchemaWriter): readonly OpenApiParameter[] {
  return [...pathParameters(call, schemas), ...queryParameters(call, schemas)]
}

function pathParameters(call: Call, schemas: SchemaWriter): OpenApiParameter[] {
  const { properties } = fieldsOf(call.params, schemas)
  return [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
}

function queryParameters({ query }: Call, schemas: SchemaWriter): OpenApiParameter[] {
  if (query === undefined) return []
  const { properties, required, resolvedSchema } = fieldsOf(query, schemas)
  const named = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    schema,
  }))
  if (named.length > 0) return named
  return [{ name: 'fields', in: 'query', required: false, explode: true, schema: resolvedSchema }]
}

interface Fields {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
  readonly resolvedSchema: JsonSchema
}

function fieldsOf(schema: z.ZodType | undefined, schemas: SchemaWriter): Fields {
  const written = schema === undefined ? {} : schemas.write(schema, 'input')
  const resolvedSchema = resolved(written, schemas)
  const { properties = {}, required = [] } = resolvedSchema as Partial<Fields>
  return { properties, required, resolvedSchema }
}

function resolved(schema: JsonSchema, { components }: SchemaWriter): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return components[reference.slice(reference.lastIndexOf('/') + 1)] ?? schema
}

/** The body of a call, in each of its media types. */
function bodyOf(call: Call, schemas: SchemaWriter): OpenApiBody | undefined {
  if (call.accepts === 'raw')
    return {
      required: true,
      description: `Bytes of any type, at most ${call.maxBodyBytes}.`,
      content: { 'application/octet-stream': { schema: {} } },
    }
  if (call.body === undefined) return undefined
  const schema = schemas.write(call.body, 'input')
  if (call.accepts !== 'form') return { required: true, content: { 'application/json': { schema } } }
  return {
    required: true,
    description: 'Form fields: text only, each name once.',
    content: { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } },
  }
}

/** Refusals of the edge before a call runs, by who may use it. */
const ofAccess = {
  public: [],
  user: guarded(),
  admin: guarded('permission_denied', 'admin_part_missing'),
  root: guarded('permission_denied'),
  signature: ['signature_invalid'],
  'relay-key': ['relay_key_invalid', 'relay_key_not_allowed'],
} as const satisfies Record<Access, readonly RefusalCode[]>

function guarded(...more: readonly RefusalCode[]): readonly RefusalCode[] {
  return [
    'not_logged_in',
    'access_token_invalid',
    'user_header_missing',
    'user_header_mismatch',
    'user_banned',
    ...more,
  ]
}

/** Codes that follow from the access and the shape of a call; its rules have more. */
function refusalsOf(call: Call): readonly RefusalCode[] {
  const asksForProof = proofConditionOf(call) !== undefined
  const hasBody = call.accepts !== undefined || call.body !== undefined
  const hasFields = call.params !== undefined || call.query !== undefined || hasBody
  return [
    ...ofAccess[call.access],
    ...when(call.sessionOnly === true || asksForProof, 'session_required'),
    ...when(asksForProof, 'recent_proof_required'),
    ...when(call.access === 'public' && acts(call), 'foreign_origin'),
    ...when(call.access === 'public' && call.method !== 'GET', 'https_required'),
    ...when(hasFields, 'invalid_parameter'),
    ...when(call.params !== undefined, 'record_not_found'),
    ...when(hasBody || call.access === 'signature', 'body_too_large'),
    'too_many_requests',
    'internal_error',
    'database_unavailable',
    'server_stopping',
  ]
}

function when(holds: boolean, code: RefusalCode): readonly RefusalCode[] {
  return holds ? [code] : []
}

/** The kinds of refusal, and every code of each with its sentence in both languages. */
export const refusalSchemas: Readonly<Record<string, JsonSchema>> = {
  Refusal: {
    type: 'object',
    description: 'The call was refused. `message` is in the language of `Accept-Language`.',
    properties: {
      success: { const: false },
      message: { type: 'string' },
      code: { $ref: '#/components/schemas/RefusalCode' },
    },
    required: ['success', 'message', 'code'],
  },
  RefusalCode: {
    type: 'string',
    description:
      'Stable names of refusals. `x-sentences` has what people read; `{name}` stands for a detail.',
    enum: Object.keys(refusalTexts),
    'x-sentences': refusalTexts,
  },
}

/** Every way to authenticate. */
export const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'Set by a login; over https its name is `__Host-session`. Where a request has one, a system access token beside it is not looked at.',
  },
  userHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'New-Api-User',
    description:
      'The ID of the calling user, which must own the session. Beside an access token it may be absent.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A system access token of a user. `Bearer` is optional.',
  },
  relayKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `sk-…`, for relayed calls.',
  },
  anthropicKey: {
    type: 'apiKey',
    in: 'header',
    name: keyHeaders.anthropic,
    description: 'An API key as clients of Anthropic send it.',
  },
  geminiKey: {
    type: 'apiKey',
    in: 'header',
    name: keyHeaders.gemini,
    description: 'An API key as clients of Gemini send it; `?key=` works too.',
  },
  signature: {
    type: 'http',
    scheme: 'signature',
    description:
      'A signature over the request with the secret that its sender shares with this server, where the sender’s protocol has it. No session opens such a call.',
  },
}

/** Decides whether a call is closed to system access tokens in all its uses. */
function needsSession(call: Call): boolean {
  return call.sessionOnly === true || (call.access !== 'public' && alwaysAsksForProof(call))
}

/** The security of a call: any one of the requirements is enough, an empty list means everybody. */
function securityOf(call: Call): readonly SecurityRequirement[] {
  const { access, cookieOnly } = call
  switch (access) {
    case 'public':
      return []
    case 'signature':
      return [{ signature: [] }]
    case 'relay-key':
      return [{ relayKey: [] }]
    default: {
      if (cookieOnly) return [{ session: [access] }]
      const bySession = { session: [access], userHeader: [] }
      return needsSession(call) ? [bySession] : [bySession, { accessToken: [access] }]
    }
  }
}
