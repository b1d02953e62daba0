import { type CallArguments, calls, type Language, type Statement } from '@tollgate/api'
import { type ReaderClock, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import { statementCsv } from '../../../wallet/statements/statement-csv.ts'
import type { NamedSubject, Statements } from '../../../wallet/statements/statements.ts'
import { csvFile, exportRecord } from '../csv-file.ts'
import { type ConsoleRoute, route, type StreamResult } from '../route.ts'

interface Dependencies {
  readonly statements: Statements
  readonly clock: Clock
}

/** Statements by month: of oneself, and for administrators of anybody. */
export function statementRoutes({ statements, clock }: Dependencies): ConsoleRoute[] {
  const monthOf = ({ month, ...clock }: ReaderClock & { readonly month?: string | undefined }) => ({
    month,
    zone: zoneOf(clock),
  })
  const file = (statement: Statement, query: ReaderClock, language: Language): StreamResult => {
    const period = { ...query, start_timestamp: statement.from, end_timestamp: statement.end - 1 }
    const stream = onePiece(statementCsv(statement, language, zoneOf(query)))
    return csvFile('statement', stream, period, unixSeconds(clock))
  }
  return [
    route(calls.statements.self, ({ query }, { caller }) =>
      statements.own(caller.userId, query.token_id, monthOf(query)),
    ),
    route(calls.statements.exportSelf, async ({ query }, { caller, language }) =>
      file(await statements.own(caller.userId, query.token_id, monthOf(query)), query, language),
    ),
    route(calls.statements.get, ({ query }, { actor }) =>
      statements.of(actor, subjectOf(query), monthOf(query)),
    ),
    route(calls.statements.export, async ({ query }, { actor, language }) => ({
      ...file(await statements.of(actor, subjectOf(query), monthOf(query)), query, language),
      ...exportRecord('log.export-statement', { kind: 'log', name: 'statement' }, query),
    })),
  ]
}

type SubjectQuery = CallArguments<(typeof calls)['statements']['get']>['query']

function subjectOf({ kind, id, group }: SubjectQuery): NamedSubject {
  return { kind, id, group }
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text
}
