import { openApi } from '@tollgate/api'
import { openApiDocument } from '@tollgate/api/openapi'
import { refusalStatusOf } from '../../error-response.ts'
import { type ConsoleRoute, route, type TextResult } from '../route.ts'

export interface OpenApiDeps {
  readonly version: string
}

/** The contract for programs and for the console's page about it. Written when it is first asked for, and once. */
export function openApiRoutes({ version }: OpenApiDeps): ConsoleRoute[] {
  let response: TextResult | undefined
  return [
    route(openApi.read, async () => {
      response ??= written(JSON.stringify(openApiDocument({ version, statusOf: refusalStatusOf })))
      return response
    }),
  ]
}

/** Compressed thoroughly, which takes a while, because it is done once. */
function written(text: string): TextResult {
  const gzipped = Bun.gzipSync(Buffer.from(text), { level: 12, library: 'libdeflate' })
  return { text, contentType: 'application/json', gzipped }
}
