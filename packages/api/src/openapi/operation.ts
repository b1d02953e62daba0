import { type Call, recentProofSeconds } from '../call.ts'
import type { OpenApiOperation } from './document-types.ts'
import type { SchemaWriter } from './json-schema.ts'
import { refusalsOf } from './refusals.ts'
import { bodyOf, parametersOf } from './requests.ts'
import { responsesOf, type StatusOf } from './responses.ts'
import { needsSession, securityOf } from './security.ts'
import { summaryOf } from './summaries.ts'

interface Place {
  /** Group and name of the call in the contract. */
  readonly group: string
  readonly name: string
}

/** One call, as OpenAPI says it. */
export function operationOf(
  call: Call,
  { group, name }: Place,
  schemas: SchemaWriter,
  statusOf: StatusOf,
): OpenApiOperation {
  const refusals = refusalsOf(call)
  const requestBody = bodyOf(call, schemas)
  return {
    operationId: `${group}.${name}`,
    summary: summaryOf(call) ?? `${call.method} ${call.path}`,
    description: descriptionOf(call),
    tags: [group],
    security: securityOf(call),
    parameters: parametersOf(call, schemas),
    ...(requestBody && { requestBody }),
    responses: responsesOf(call, refusals, statusOf, schemas),
    'x-access': call.access,
    'x-answer': call.response ?? 'envelope',
    ...(needsSession(call) && { 'x-session-only': true }),
    ...(call.recentProof && { 'x-recent-proof': true }),
    ...(call.critical && { 'x-critical': true }),
    ...(call.changes && { 'x-changes': true }),
    'x-also-at': templateOf(otherSpelling(call.path)),
    'x-refusals': refusals,
  }
}

/** `/api/user/:id` in OpenAPI's words: `/api/user/{id}`. */
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
  signature: 'For whoever signed the request; no session opens it.',
  'relay-key': 'For the holder of an API key.',
} as const

function proofSentence(condition: NonNullable<Call['recentProof']>): string {
  const { forField, provenBy } = condition === true ? {} : condition
  const field = forField === undefined ? '' : `With \`${forField}\`, `
  const instead = provenBy === undefined ? '' : `, or the right \`${provenBy}\``
  return `${field}asks for a session that has proven whose it is within ${recentProofSeconds / 60} minutes${instead}.`
}

function descriptionOf(call: Call): string {
  return [
    accessSentences[call.access],
    needsSession(call) && 'Needs a login session: a system access token is refused.',
    call.recentProof && proofSentence(call.recentProof),
    call.critical && 'Failed tries are counted for each address by a stricter limit.',
    call.changes && 'Changes something although it is a GET: other sites cannot have a browser make it.',
    `Also answered at \`${templateOf(otherSpelling(call.path))}\`, without a redirect.`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}
