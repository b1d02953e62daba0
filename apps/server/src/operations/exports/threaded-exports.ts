import type { Ledger } from '../../billing/ledger-types.ts'
import type { ChannelDirectory } from '../../channels/routing/routing-types.ts'
import type { LogExport } from '../../records/logs/export-log.ts'
import type { Services } from '../../services.ts'
import type { ExportName, Exports } from './exports.ts'

/** Starts the thread in which exports are read and encoded. */
export function startStoreThread(): Worker {
  return new Worker(new URL('./store-thread', import.meta.url))
}

type ArgumentsOf<Name extends ExportName> = Parameters<Exports[Name]>[0]

interface Dependencies extends Pick<Services, 'settings'> {
  readonly store: Pick<Services['store'], 'stream'>
  readonly ledger: Pick<Ledger, 'flush'>
}

/** Exports of the console as use cases call them: a thread makes them, and the event loop passes their bytes on. */
export function threadedExports(
  { store, ledger, settings }: Dependencies,
  directory: Pick<ChannelDirectory, 'snapshot'>,
) {
  const stream = <Name extends ExportName>(name: Name, args: ArgumentsOf<Name>) =>
    store.stream({ name, args })
  const display = () => {
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = settings.current
    return { DisplayInCurrencyEnabled, QuotaPerUnit }
  }
  const logExport: LogExport = {
    async *all(...args) {
      // Calls that have ended are in it.
      await ledger.flush()
      const names = new Map(directory.snapshot.channels.map(({ id, name }) => [id, name]))
      yield* stream('log', { args, display: display(), names })
    },
    async *own(...args) {
      await ledger.flush()
      yield* stream('ownLog', { args, display: display() })
    },
  }
  return {
    logExport,
    securityEvents: (query: ArgumentsOf<'securityEvents'>) => stream('securityEvents', query),
    spendFile: (file: ArgumentsOf<'spend'>) => stream('spend', file),
    orderFile: (search: ArgumentsOf<'orders'>['search'], reader: ArgumentsOf<'orders'>['reader']) =>
      stream('orders', { search, reader }),
    accountFile: (file: ArgumentsOf<'account'>) => stream('account', file),
    installationFile: (file: ArgumentsOf<'installation'>) => stream('installation', file),
  }
}

/** Files of the console, made in a thread. */
export type ThreadedExports = ReturnType<typeof threadedExports>
