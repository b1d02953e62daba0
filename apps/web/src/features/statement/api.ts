import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request, requestContent } from '../../lib/api/api-client.ts'
import { saveResponse } from '../../lib/browser/save-file.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import type { StatementSearch } from './search.ts'

/** Reads a statement: the reader's own without a kind. */
export function statementQuery(search: StatementSearch) {
  return queryOptions({
    queryKey: ['statement', search],
    queryFn: ({ signal }) =>
      search.kind === undefined
        ? request(calls.statements.self, { query: ownQuery(search), signal })
        : request(calls.statements.get, { query: anybodyQuery(search), signal }),
  })
}

/** Saves a statement as a file of CSV. */
export async function exportStatement(search: StatementSearch): Promise<void> {
  await saveResponse(
    search.kind === undefined
      ? await requestContent(calls.statements.exportSelf, { query: ownQuery(search) })
      : await requestContent(calls.statements.export, { query: anybodyQuery(search) }),
  )
}

function ownQuery({ month, id }: StatementSearch) {
  return { month, token_id: id, ...clockHere() }
}

function anybodyQuery({ month, kind, id, group }: StatementSearch) {
  return { month, kind, id, group, ...clockHere() }
}
