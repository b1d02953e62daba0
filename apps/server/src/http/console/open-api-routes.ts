import { openApi } from '@tollgate/api'
import { openApiDocument } from '@tollgate/api/openapi'
import { refusalStatusOf } from '../error-response.ts'
import { type ConsoleRoute, route } from './route.ts'

export interface OpenApiDeps {
  readonly version: string
}

/** The contract for programs and for the console's page about it. Written when it is first asked for, and once. */
export function openApiRoutes({ version }: OpenApiDeps): ConsoleRoute[] {
  let text: string | undefined
  return [
    route(openApi.read, async () => {
      text ??= JSON.stringify(openApiDocument({ version, statusOf: refusalStatusOf }))
      return { text, contentType: 'application/json' }
    }),
  ]
}
