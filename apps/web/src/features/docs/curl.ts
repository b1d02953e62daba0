import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '@tollgate/api/openapi'
import { shapeOf } from './fields.ts'
import type { DocumentedCall } from './groups.ts'

type Schemas = Pick<OpenApiDocument, 'components'>

/** The call as a command, with what only the reader has as variables of the shell. */
export function curlOf(document: Schemas, call: DocumentedCall, address: string): string {
  const { method, operation } = call
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address + targetOf(call))}`,
    ...headersOf(operation).map((header) => `-H "${header}"`),
    ...bodyOf(document, operation),
  ]
  return lines.join(' \\\n  ')
}

function targetOf({ path, operation: { parameters } }: DocumentedCall): string {
  const filled = path.replace(/\{(\w+)\}/g, (_slot, name: string) =>
    name === 'id' ? '1' : `$${name.toUpperCase()}`,
  )
  const query = parameters
    .filter(({ in: position, required }) => position === 'query' && required)
    .map(({ name }) => `${name}=$${name.toUpperCase()}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

function quoted(text: string): string {
  return /[?&$]/.test(text) ? `"${text}"` : text
}

const proofs: Readonly<Record<string, string>> = {
  session: 'Cookie: session=$TOLLGATE_SESSION',
  accessToken: 'Authorization: Bearer $TOLLGATE_ACCESS_TOKEN',
  userHeader: 'New-Api-User: $TOLLGATE_USER_ID',
  relayKey: 'Authorization: Bearer $TOLLGATE_API_KEY',
  anthropicKey: 'x-api-key: $TOLLGATE_API_KEY',
  geminiKey: 'x-goog-api-key: $TOLLGATE_API_KEY',
}

/** Returns the header fields of a program, which has a token rather than a session, where it may choose. */
function headersOf({ security }: OpenApiOperation): string[] {
  const requirement = security.find((each) => 'accessToken' in each) ?? security[0] ?? {}
  return Object.keys(requirement).flatMap((scheme) => proofs[scheme] ?? [])
}

function bodyOf(document: Schemas, { requestBody }: OpenApiOperation): string[] {
  const json = requestBody?.content['application/json']?.schema
  if (json !== undefined)
    return [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(exampleOf(document, json))}'`]
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema
  if (form !== undefined)
    return [`-d '${new URLSearchParams(exampleOf(document, form) as Record<string, string>)}'`]
  return requestBody === undefined ? [] : ['--data-binary @file']
}

const examples: Readonly<Record<string, unknown>> = {
  string: '…',
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
}

/** Returns an example of a body: its required members, or else the first of the optional ones. */
function exampleOf(document: Schemas, schema: JsonSchema, depth = 0): unknown {
  const shape = shapeOf(document, schema)
  const properties = Object.entries((shape['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  if (properties.length > 0 && depth < 2) {
    const required = (shape['required'] ?? []) as readonly string[]
    const visible =
      required.length > 0 ? properties.filter(([name]) => required.includes(name)) : properties.slice(0, 3)
    return Object.fromEntries(visible.map(([name, field]) => [name, exampleOf(document, field, depth + 1)]))
  }
  const [choice] = (shape['enum'] ?? []) as readonly unknown[]
  const value = shape['const'] ?? choice ?? shape['default']
  if (value !== undefined && value !== '') return value
  const { type } = shape
  return examples[String(Array.isArray(type) ? type[0] : type)] ?? '…'
}
