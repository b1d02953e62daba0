import type { Call } from '../call.ts'
import * as contract from '../index.ts'
import type { LowerMethod, OpenApiDocument, OpenApiOperation, OpenApiPath } from './document-types.ts'
import { createSchemaWriter } from './json-schema.ts'
import { operationOf, refusalSchemas, securitySchemes, templateOf } from './operation.ts'
import { relayPaths } from './relay-paths.ts'
import type { StatusOf } from './responses.ts'
import { byAudience, tags } from './tags.ts'

interface Facts {
  readonly version: string
  readonly statusOf: StatusOf
}

const description = `Every call of this gateway: the console's, and in short the relay's own.

* **Envelope.** Answers of the console are \`{ success, message, data }\`. What a rule refuses is HTTP 200 with \`success: false\`,
  a sentence in the language that \`Accept-Language\` asks for (English or Chinese), and a \`code\` for programs.
* **Who is calling.** A session cookie with the header \`New-Api-User\`, which has the user's id, or a system access token. Beside a token
  the header may be absent; one that names another user is refused.
* **Paths** are answered with a slash at their end and without one; no redirect is sent.
* **Units.** Quota is an integer number of quota units; times are Unix seconds unless a field says otherwise.
* \`x-access\` is who may; \`x-refusals\` are the codes that a call's access and shape bring along; \`RefusalCode\` lists all.`

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument({ version, statusOf }: Facts): OpenApiDocument {
  const schemas = createSchemaWriter(contract)
  const operations = Object.entries(contract.calls).flatMap(([group, members]) =>
    Object.entries<Call>(members).map(
      ([name, call]): Placed => [
        templateOf(call.path),
        call.method.toLowerCase() as LowerMethod,
        operationOf(call, { group, name }, schemas, statusOf),
      ],
    ),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate', version, description },
    servers: [{ url: '/' }],
    tags,
    paths: { ...relayPaths, ...pathsOf(operations) },
    components: { schemas: { ...schemas.components, ...refusalSchemas }, securitySchemes },
  }
}

/** An operation at its path. */
type Placed = readonly [path: string, method: LowerMethod, operation: OpenApiOperation]

/** Paths with their operations, in the order in which people read them. */
function pathsOf(operations: readonly Placed[]): Readonly<Record<string, OpenApiPath>> {
  const paths: Record<string, OpenApiPath> = {}
  const ordered = operations.toSorted(([, , left], [, , right]) => byAudience(left, right))
  for (const [path, method, operation] of ordered) paths[path] = { ...paths[path], [method]: operation }
  return paths
}
