import type { CallPart } from '../admin-parts.ts'
import type { Access, Method, ResponseKind } from '../call.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
  /** A query with arbitrary names: each of them is a parameter by itself. */
  readonly explode?: true
}

type Content = { readonly [mediaType: string]: { readonly schema?: JsonSchema } }

export interface OpenApiBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Content
}

export interface OpenApiResponse {
  readonly description: string
  readonly headers?: {
    readonly [name: string]: { readonly description: string; readonly schema: JsonSchema }
  }
  readonly content?: Content
}

/** One way to authenticate: every scheme of it is required. */
export type SecurityRequirement = { readonly [scheme: string]: readonly string[] }

export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  /** The summary in Chinese. */
  readonly 'x-summary-zh': string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: OpenApiBody
  readonly responses: { readonly [status: string]: OpenApiResponse }
  /** Access in the contract's word; `session` is the playground's: a logged-in browser and nothing else. */
  readonly 'x-access': Access | 'session'
  /** Part of a call of administrators. */
  readonly 'x-part'?: CallPart
  /** Kind of the response; absent where it is not the console's. */
  readonly 'x-response-kind'?: ResponseKind
  /** A system access token is refused. */
  readonly 'x-session-only'?: true
  readonly 'x-recent-proof'?: true
  /** A stricter limit counts failed attempts. */
  readonly 'x-critical'?: true
  /** Changes something although it is a GET. */
  readonly 'x-changes'?: true
  /** The other spelling of the path, with the same response. */
  readonly 'x-also-at'?: string
  /** Refusals that follow from its access and shape; `RefusalCode` lists every code there is. */
  readonly 'x-refusals'?: readonly string[]
}

export type LowerMethod = Lowercase<Method>
export type OpenApiPath = { readonly [method in LowerMethod]?: OpenApiOperation }

/** A group of calls, with its heading in both languages. */
export interface OpenApiTag {
  readonly name: string
  readonly 'x-heading': { readonly en: string; readonly zh: string }
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly OpenApiTag[]
  readonly paths: { readonly [path: string]: OpenApiPath }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly securitySchemes: { readonly [name: string]: JsonSchema }
  }
}
