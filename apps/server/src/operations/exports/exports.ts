import { type AccountFile, accountPieces } from '../../accounts/users/leave/export-account.ts'
import { createSecurityEventPages } from '../../accounts/users/login/security-event-pages.ts'
import type { Pieces } from '../../lib/async/pieces.ts'
import { createLogExport, type LogExport } from '../../records/logs/export-log.ts'
import type { DisplaySettings } from '../../records/logs/log-reader.ts'
import type { StreamSource, StreamSources } from '../../store/engine/open/serve-thread.ts'
import type { Store } from '../../store/store.ts'
import { type SpendFile, spendPieces } from '../../telemetry/statistics/spend-file.ts'
import { exportOrders, type OrderReader } from '../../wallet/top-up/order-export.ts'
import { createOrders, type OrderSearch } from '../../wallet/top-up/orders.ts'
import { installationPieces } from '../backup/export/stream-export.ts'

/** Display of amounts on the site now. */
type Display = DisplaySettings['current']

/** Channels by their ids, with the names that the log has for them. */
type ChannelNames = ReadonlyMap<number, string>

interface LogFile<Scope extends keyof LogExport> {
  readonly args: Parameters<LogExport[Scope]>
  readonly display: Display
}

/**
 * Makes every file that the console exports, over a store: what each takes is plain data, which crosses threads, and its bytes do not
 * depend on the thread. Statements have a thousand lines of a kind at most, and are made where they are read.
 */
export function exportsOver(store: Store) {
  const logExport = (current: Display, names: ChannelNames) =>
    createLogExport({ ...store, channelName: (id) => names.get(id) ?? '', settings: { current } })
  return {
    log: ({ args, display, names }: LogFile<'all'> & { readonly names: ChannelNames }) =>
      logExport(display, names).all(...args),
    ownLog: ({ args, display }: LogFile<'own'>) => logExport(display, new Map()).own(...args),
    spend: (file: SpendFile) => spendPieces(store, file),
    securityEvents: (query: SecurityEventQuery) => createSecurityEventPages({ store }).export(query),
    orders: ({ search, reader }: { readonly search: OrderSearch; readonly reader: OrderReader }) =>
      exportOrders(createOrders({ store }).batches(search), reader),
    account: (file: AccountFile) => accountPieces(store, file),
    installation: installationPieces,
  } satisfies Readonly<Record<string, (args: never) => Pieces>>
}

type SecurityEventQuery = Parameters<ReturnType<typeof createSecurityEventPages>['export']>[0]

/** Exports by their names. */
export type Exports = ReturnType<typeof exportsOver>
/** Name of an export. */
export type ExportName = keyof Exports

/** Makes the exports by the names under which they cross threads. */
export function exportStreams(store: Store): StreamSources {
  const exports = exportsOver(store)
  return ({ name, args }: StreamSource) => {
    // Name and arguments belong together by the types of `threadedExports`; they are lost between threads.
    const make = exports[name as ExportName] as (args: unknown) => Pieces
    return make(args)
  }
}
