import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
} from '../../../packages/api/src/openapi/index.ts'

/** A console call as the OpenAPI document of a running gateway has it. */
export interface ConsoleCall {
  /** `GET /api/user/{id}`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly access: OpenApiOperation['x-access']
  readonly responseKind: string
  readonly sessionOnly: boolean
  /** Set for a call that demands a recent proof of a session, sent with every field. */
  readonly recentProof: boolean
  /** Changes something, whatever its method. */
  readonly changes: boolean
  readonly parameters: OpenApiOperation['parameters']
  readonly body: CallBody | undefined
}

export interface CallBody {
  readonly type: 'json' | 'form' | 'raw'
  readonly schema: JsonSchema
}

export interface ConsoleContract {
  readonly calls: readonly ConsoleCall[]
  /** Every call with its own words for paths, those of the relay among them. */
  readonly document: OpenApiDocument
  /** The schema that a reference leads to. */
  resolve(schema: JsonSchema): JsonSchema
}

/** Reads the document that a gateway gives to everybody. Calls of the relay are not the console's and left out. */
export async function readContract(url: string): Promise<ConsoleContract> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation['x-response-kind'] !== undefined)
      .map(([method, operation]) => callOf(method.toUpperCase(), path, operation)),
  )
  return { calls, document, resolve: (schema) => resolve(document, schema) }
}

function callOf(method: string, path: string, operation: OpenApiOperation): ConsoleCall {
  return {
    name: `${method} ${path}`,
    method,
    path,
    access: operation['x-access'],
    responseKind: operation['x-response-kind'] ?? '',
    sessionOnly: operation['x-session-only'] === true,
    recentProof: operation['x-recent-proof'] === true,
    changes: method !== 'GET' || operation['x-changes'] === true,
    parameters: operation.parameters,
    body: bodyOf(operation),
  }
}

const bodyTypes = {
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
  'application/octet-stream': 'raw',
} as const

function bodyOf({ requestBody }: OpenApiOperation): CallBody | undefined {
  for (const [mediaType, type] of Object.entries(bodyTypes)) {
    const content = requestBody?.content[mediaType]
    if (content !== undefined) return { type, schema: content.schema ?? {} }
  }
  return undefined
}

function resolve({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {}
}
