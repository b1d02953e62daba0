import type { Call } from '../call.ts'
import * as contract from '../index.ts'
import type { LowerMethod, OpenApiDocument, OpenApiOperation, OpenApiPath } from './document-types.ts'
import { createSchemaWriter } from './json-schema.ts'
import { operationOf, refusalSchemas, securitySchemes, templateOf } from './operation.ts'
import { relayPaths, relayTag } from './relay-paths.ts'
import type { StatusOf } from './responses.ts'

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
  const paths: Record<string, OpenApiPath> = {}
  const add = (path: string, method: LowerMethod, operation: OpenApiOperation) => {
    paths[path] = { ...paths[path], [method]: operation }
  }
  for (const [group, members] of Object.entries(contract.calls))
    for (const [name, call] of Object.entries<Call>(members))
      add(
        templateOf(call.path),
        call.method.toLowerCase() as LowerMethod,
        operationOf(call, { group, name }, schemas, statusOf),
      )
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate', version, description },
    servers: [{ url: '/' }],
    tags: [...Object.keys(contract.calls), relayTag].map((name) => ({ name })),
    paths: { ...paths, ...relayPaths },
    components: { schemas: { ...schemas.components, ...refusalSchemas }, securitySchemes },
  }
}
