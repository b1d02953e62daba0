import type { Access, Method, ResponseKind } from '../call.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A parameter of a path or a query. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
  /** A query whose names are not known before: each of them is a parameter by itself. */
  readonly explode?: true
}

type Content = { readonly [mediaType: string]: { readonly schema?: JsonSchema } }

/** The body of a request, by media type. */
export interface OpenApiBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Content
}

/** A response, by media type. */
export interface OpenApiResponse {
  readonly description: string
  readonly headers?: {
    readonly [name: string]: { readonly description: string; readonly schema: JsonSchema }
  }
  readonly content?: Content
}

/** One way to prove who is calling: every scheme of it is needed. */
export type SecurityRequirement = { readonly [scheme: string]: readonly string[] }

/** One method of one path. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: OpenApiBody
  readonly responses: { readonly [status: string]: OpenApiResponse }
  /** Who may use it, in the contract's word; `session` is the playground's: a logged-in browser and nothing else. */
  readonly 'x-access': Access | 'session'
  /** Kind of the answer; absent where it is not the console's. */
  readonly 'x-answer'?: ResponseKind
  /** A system access token is refused. */
  readonly 'x-session-only'?: true
  readonly 'x-recent-proof'?: true
  /** Failed tries are counted by a stricter limit. */
  readonly 'x-critical'?: true
  /** Changes something although it is a GET. */
  readonly 'x-changes'?: true
  /** The other spelling of the path, answered the same. */
  readonly 'x-also-at'?: string
  /** Refusals that its access and shape bring along; `RefusalCode` lists every code there is. */
  readonly 'x-refusals'?: readonly string[]
}

/** An HTTP method as OpenAPI writes it, in lower case. */
export type LowerMethod = Lowercase<Method>
/** The operations of a path, by method. */
export type OpenApiPath = { readonly [method in LowerMethod]?: OpenApiOperation }

/** An OpenAPI 3.1 document, as far as the contract needs it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: { readonly [path: string]: OpenApiPath }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly securitySchemes: { readonly [name: string]: JsonSchema }
  }
}
