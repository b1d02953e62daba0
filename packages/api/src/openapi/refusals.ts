import type { Access, Call } from '../call.ts'
import { type RefusalCode, refusalTexts } from '../errors/index.ts'
import type { JsonSchema } from './document-types.ts'

/** What the edge may refuse before a call runs, by who may use it. */
const ofAccess = {
  public: [],
  user: guarded(),
  admin: guarded('permission_denied'),
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

/** Codes that the access and the shape of a call bring along; its rules have more. */
export function refusalsOf(call: Call): readonly RefusalCode[] {
  const changes = call.method !== 'GET' || call.changes === true
  const hasBody = call.accepts !== undefined || call.body !== undefined
  const hasFields = call.params !== undefined || call.query !== undefined || hasBody
  return [
    ...ofAccess[call.access],
    ...when(call.sessionOnly === true || call.recentProof !== undefined, 'session_required'),
    ...when(call.recentProof !== undefined, 'recent_proof_required'),
    ...when(call.access === 'public' && changes, 'foreign_origin'),
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

/** What says no, and every code of it with its sentence in both languages. */
export const refusalSchemas: Readonly<Record<string, JsonSchema>> = {
  Refusal: {
    type: 'object',
    description: 'The call was refused. `message` is in the language that `Accept-Language` asks for.',
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
