import { monotonicClock, systemClock, unixSeconds } from '@tollgate/base'
import { journalDatabase, openJournal } from '../../billing/journal/open.ts'
import { upgradeRecord } from '../../billing/upgrade-record.ts'
import { type Config, readConfig } from '../../config.ts'
import { connectionNameOf } from '../../fleet/fleet.ts'
import { refuseUnfitNode } from '../../fleet/start-checks.ts'
import { createEventBus } from '../../lib/async/event-bus.ts'
import type { Command, CommandWords } from '../../lib/command-line.ts'
import type { Vault } from '../../lib/crypto.ts'
import { createLogger } from '../../lib/logger.ts'
import type { ImportContext } from '../../operations/import/import-context.ts'
import { TakenIds } from '../../operations/import/import-context.ts'
import type { ImportSource } from '../../operations/import/import-source.ts'
import { openSource, sourceKinds } from '../../operations/import/open-source.ts'
import { type ImportReport, runImport } from '../../operations/import/run-import.ts'
import { openVault } from '../../operations/secrets/open-vault.ts'
import { createAuditLog } from '../../records/audit-log/audit-log.ts'
import { createSettings } from '../../settings/create-settings.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { claimNode } from '../../store/engine/open/claim-node.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { secretsOf } from '../secrets.ts'
import { journalDirectory } from '../services.ts'
import { shell } from './installation.ts'

export const importCommand: Command = {
  name: 'import',
  writesData: true,
  operands: ['FILE_OR_URL', 'FILE_OR_URL?'],
  options: {
    from: { value: 'GATEWAY', isRequired: true, help: sourceKinds.join(', ') },
    apply: { help: 'do it; without it nothing is written' },
    name: {
      value: 'NAME',
      help: 'tells databases of one kind apart (the kind); a Tollgate says itself which it is',
    },
    'source-secret': {
      value: 'FILE',
      help: 'of a Tollgate: its secret.key or environment file, or the secret itself (what lies beside the database)',
    },
    confirm: { help: 'take options that ask for a confirmation, such as prices far from list prices' },
    'as-root': { help: 'a super admin there is one here, too, though there is one' },
    'unlimited-balance': {
      value: 'DOLLARS',
      help: 'balance of users of LiteLLM who have no budget there (1000)',
    },
  },
  summary: 'take over users, keys, balances and channels of another gateway',
  details: `Prints, for each table, what is taken, changed and left out, and why; --apply does it. What was taken is not taken again.
The gateway of this DATA_DIR is stopped meanwhile. FILE_OR_URL is an SQLite file, a mysql:// or a postgres:// address; of
LiteLLM its config.yaml, its database, or both; of another Tollgate its data folder, its database or a backup. Its gateway is
stopped too, and its secret is at hand: in secret.key beside the database, by --source-secret, or in TOLLGATE_SOURCE_SECRET.`,
  async run(words) {
    await runImportCommand(readConfig(process.env), words)
    return undefined
  },
}

async function runImportCommand(config: Config, words: CommandWords): Promise<void> {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  const logger = createLogger('warn')
  const secrets = secretsOf(config)
  const now = unixSeconds(systemClock)
  // A source that cannot be read is refused before there is a database, which says which hash key is used.
  const hashing = { hash: (_text: string): string => fail() }
  const source = await openSource(words, { vault: hashing, now, environment: process.env, logger })
  // As a start does: nobody else may spend what is in the database.
  const journal = openJournal({ directory: journalDirectory(config), clock: monotonicClock, logger })
  const connectionName = connectionNameOf(journal.node)
  const claim = await claimNode({ databaseUrl, node: journal.node, connectionName, logger })
  const store = await openStore({
    databaseUrl,
    dataDir,
    journalDatabase: journalDatabase(journalDirectory(config)),
    connectionName,
    upgradeCopy: config.UPGRADE_COPY,
    ...upgradeRecord(journal.node, systemClock, logger),
    logger,
  })
  try {
    await refuseUnfitNode({ store, clock: systemClock })
    const { vault } = await openVault(secrets, store.identity)
    hashing.hash = vault.hash
    const kind = words.values['from'] ?? ''
    const name = source.identity ?? words.values['name'] ?? kind
    await source.begin?.({
      database: await store.ledger.databaseId(),
      isApplied: words.switches.has('apply'),
    })
    const context = {
      name,
      source,
      vault,
      now: await store.imports.momentOfRun(name, now),
      asRoot: words.switches.has('as-root'),
      isConfirmed: words.switches.has('confirm'),
    }
    const report = words.switches.has('apply')
      ? await runOn(store, context, vault)
      : await dryRun(store, (tx) => runOn(tx, context, vault))
    if (words.switches.has('apply') && report.taken > 0) await record(store, context, report)
    process.stdout.write(`${heading(source, kind, words)}\n\n${report.lines.join('\n')}\n`)
    if (!words.switches.has('apply')) process.stdout.write('\nNothing was written: --apply does it.\n')
  } finally {
    await source.close()
    await store.close()
    await claim.release()
    await journal.close()
  }

  async function runOn(
    over: Store,
    context: Omit<ImportContext, 'store' | 'settings' | 'ids'>,
    vault: Vault,
  ): Promise<ImportReport> {
    const bus = createEventBus<ChangeEvents>((err) =>
      logger.error(
        { err },
        'a part of Tollgate failed to follow a change: restart the node if what it shows is stale, and report this entry',
      ),
    )
    const settings = await createSettings({ options: over.options, vault, bus, logger })
    return await runImport({ ...context, store: over, settings, ids: new TakenIds(context.name) })
  }
}

/** Leaves in the console what was taken, changed and left out. */
async function record(
  store: Store,
  { name, source }: Pick<ImportContext, 'name' | 'source'>,
  report: ImportReport,
): Promise<void> {
  await createAuditLog({ store, clock: systemClock }).record(shell, {
    action: 'gateway.import',
    target: { kind: 'gateway', name },
    after: { place: source.origin, report: report.record },
  })
}

function fail(): never {
  throw new Error('the vault is not open yet')
}

function heading({ origin }: ImportSource, kind: string, { switches }: CommandWords): string {
  return `${switches.has('apply') ? 'Imported' : 'To import'} from ${kind} at ${origin}`
}

/** Undoes what a dry run has written. */
class RollBack extends Error {
  override readonly name = 'RollBack'
}

/** Does it in one transaction, which is rolled back: what it says is what would be. */
async function dryRun(store: Store, run: (tx: Store) => Promise<ImportReport>): Promise<ImportReport> {
  let report: ImportReport = { lines: [], record: [], taken: 0 }
  try {
    await store.transaction(async (tx) => {
      report = await run(tx)
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return report
}
