import type { Language } from '@tollgate/api'
import type { LogReader } from '@tollgate/api/log-events'
import type { Ledger } from '../../../billing/ledger-types.ts'
import type { Pieces } from '../../../lib/async/pieces.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor, AuditEvent } from '../../../records/audit-log/audit-log.ts'
import { type DisplaySettings, logReader } from '../../../records/logs/log-reader.ts'
import { ownView } from '../../../records/logs/log-view.ts'
import type { PersonalRecords } from '../../../store/accounts/people.ts'
import type { Store } from '../../../store/store.ts'
import { mayRead } from '../manage/ranks.ts'
import { withoutSecrets } from '../user-setting.ts'

interface Dependencies {
  readonly store: Pick<Store, 'users' | 'people'>
  readonly ledger: Pick<Ledger, 'flush'>
  readonly settings: DisplaySettings
  readonly accountFile: (file: AccountFile) => Pieces
}

/** Accounts of an export, and how its reader has the log; plain data, because the export may be made in another thread. */
export interface AccountFile {
  readonly ids: readonly number[]
  readonly reader: LogReader
}

type AccountStore = Pick<Store, 'users' | 'people' | 'usage'>

/** Rows of the log that are in memory at once. */
const batchRows = 500

/**
 * Everything that is stored about a customer, as one JSON text in pieces (see `accountPieces`), with its record for the audit log.
 */
export async function exportAccount(
  deps: Dependencies,
  actor: Actor,
  id: number,
  language: Language,
): Promise<{ readonly stream: Pieces; readonly exported: AuditEvent }> {
  const { store, ledger } = deps
  const user = await store.users.find(id)
  if (user === undefined) throw new Refusal('record_not_found')
  if (!mayRead(actor, user)) throw new Refusal('user_not_readable')
  const target = { kind: 'user', id, name: user.username } as const
  // Calls that have ended are in it.
  await ledger.flush()
  const reader = logReader(deps.settings, language)
  const stream = deps.accountFile({ ids: [id, ...(await store.people.mergedFrom(id))], reader })
  return { stream, exported: { action: 'user.export', target } }
}

/** The accounts that are one with a customer's too, without secrets and without what concerns the operator alone. */
export async function* accountPieces(
  store: AccountStore,
  { ids, reader }: AccountFile,
): AsyncGenerator<string> {
  yield '{"accounts":['
  for (const [index, id] of ids.entries()) {
    if (index > 0) yield ','
    yield* onePieces(store, id, reader)
  }
  yield ']}\n'
}

async function* onePieces(store: AccountStore, id: number, reader: LogReader): AsyncGenerator<string> {
  yield `{"id":${id}`
  const setting = withoutSecrets((await store.users.find(id))?.setting ?? '')
  for (const records of await store.people.records(id))
    yield `,${JSON.stringify(records.table)}:${JSON.stringify(ownRecords(records, id, setting))}`
  yield ',"logs":['
  let before: number | undefined
  let isFirst = true
  do {
    const batch = await store.usage.batch({ userId: id }, before, batchRows)
    if (batch.rows.length > 0)
      yield `${isFirst ? '' : ','}${batch.rows.map((row) => JSON.stringify(ownView(row, reader))).join(',')}`
    isFirst &&= batch.rows.length === 0
    before = batch.next
  } while (before !== undefined)
  yield ']}'
}

/**
 * Records of the audit log without the administrators who made them, and the account with its settings.
 * @param setting without its secrets, for which the column as a whole is in no export
 */
function ownRecords({ table, rows }: PersonalRecords, id: number, setting: string): PersonalRecords['rows'] {
  if (table === 'users') return rows.map((row) => ({ ...row, setting }))
  if (table !== 'audit_log') return rows
  return rows.map((row) => {
    if (row['actor_id'] === id) return row
    const { actor_id: _actor, actor_name: _name, address: _address, ...own } = row
    return own
  })
}
