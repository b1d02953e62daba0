import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import type { OpenApiDocument } from '@tollgate/api/openapi'
import { translate } from '../../i18n/index.ts'

/** The document changes with the server's version alone. */
export const documentQuery = queryOptions({
  queryKey: ['open-api'],
  queryFn: ({ signal }) => readDocument(signal),
  staleTime: Number.POSITIVE_INFINITY,
})

async function readDocument(signal: AbortSignal): Promise<OpenApiDocument> {
  const response = await fetch(calls.openApi.read.path, { signal })
  if (!response.ok)
    throw new Error(translate('failure.unexpected_answer', { status: response.status, message: '' }))
  return (await response.json()) as OpenApiDocument
}
