import { join } from 'node:path'
import { type Clock, monotonicClock, systemClock } from '@tollgate/base'
import { type AuditLog, createAuditLog } from '../audit-log/audit-log.ts'
import { openJournal } from '../billing/journal/open.ts'
import { createLedger } from '../billing/ledger/ledger.ts'
import type { Ledger } from '../billing/ledger-types.ts'
import type { Config } from '../config.ts'
import { createVault, type Vault } from '../lib/crypto.ts'
import { createDiskSpaceMonitor } from '../lib/disk-space-monitor.ts'
import { createEventBus } from '../lib/event-bus.ts'
import type { Logger } from '../lib/logger.ts'
import { masterSecret } from '../lib/master-secret.ts'
import { createOutboundGuard, type OutboundGuard } from '../lib/outbound/outbound-guard.ts'
import { createEventLog, type EventLog } from '../logs/event-log.ts'
import { createMailer } from '../mail/create-mailer.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createSettings } from '../settings/create-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { ChangeBus, ChangeEvents } from '../store/change-events.ts'
import { claimDatabase } from '../store/claim-database.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createFirstKey } from '../tokens/first-key.ts'
import { createTokens, type Tokens } from '../tokens/tokens.ts'
import { type AttemptLimiter, createAttemptLimiter } from '../users/auth/attempt-limiter.ts'
import { createSecurityAlerts, type SecurityAlerts } from '../users/auth/security-alerts.ts'
import { type CreateAccount, createAccounts } from '../users/create-account.ts'
import { createKnownIdentities, type KnownIdentities } from '../users/known-identities.ts'
import { createSelfService, type SelfService } from '../users/self-service.ts'
import type { Setup } from '../users/setup.ts'
import { createUsers, type Users } from '../users/users.ts'

/** Takes every right from everybody but the account that Tollgate runs under. */
const ownerOnly = 0o077

/** With less than this the database soon cannot take what the journal holds. */
const minimumFreeBytes = 1024 * 1024

/** What every other part stands on, opened in the order in which one needs the other. */
export interface Services {
  readonly config: Config
  readonly version: string
  /** Name of this node, the same over its restarts. */
  readonly node: string
  readonly logger: Logger
  readonly clock: Clock
  readonly vault: Vault
  readonly bus: ChangeBus
  readonly store: Store
  readonly settings: Settings
  readonly ledger: Ledger
  readonly events: EventLog
  readonly auditLog: AuditLog
  readonly outboundGuard: OutboundGuard
  readonly users: Users
  readonly tokens: Tokens
  readonly knownIdentities: KnownIdentities
  readonly createAccount: CreateAccount
  readonly mailer: Mailer
  readonly tries: AttemptLimiter
  readonly notices: SecurityAlerts
  readonly selfService: SelfService
  /** False while charges could not be recorded: calls are refused with 503 until they can. */
  readonly admitting: () => boolean
  /** Resolves when this process may not go on: another one has its database. */
  readonly lost: Promise<Error>
  close(): Promise<void>
}

/** For starts that nobody watches. Changes nothing once the installation is set up. */
async function setUpUnattended(setup: Setup, { TOLLGATE_ROOT_PASSWORD: password }: Config): Promise<void> {
  if (password === undefined || (await setup.isDone())) return
  const mode = { SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await setup.run({ username: 'root', password, confirmPassword: password, ...mode })
}

export function journalDirectory({ dataDir }: Config): string {
  return join(dataDir, 'journal')
}

/**
 * Opens data directory, database and journal, and brings the books up to date. Throws errors whose message is one
 * line for the operator.
 */
export async function openServices(config: Config, logger: Logger, version: string): Promise<Services> {
  // Databases make their files as the process makes its own; in a folder that others may enter, these stay closed.
  process.umask(ownerOnly)
  const clock = systemClock
  const vault = createVault(masterSecret(config.dataDir, config.TOLLGATE_SECRET))
  const bus = createEventBus<ChangeEvents>((error) => logger.error({ err: error }, 'a listener failed'))
  const journal = openJournal({
    directory: journalDirectory(config),
    clock: monotonicClock,
    logger,
    syncMs: config.JOURNAL_SYNC_MS,
  })
  // Before its schema is touched: an older process may still be using it.
  const claim = await claimDatabase({ databaseUrl: config.DATABASE_URL, logger })
  const store = await openStore({ databaseUrl: config.DATABASE_URL, dataDir: config.dataDir, logger })
  const settings = await createSettings({ options: store.options, vault, bus, logger })
  const ledger = await createLedger({
    repository: store.ledger,
    journal,
    clock,
    logger,
    onBalancesChanged: (balances) => bus.publish('balances-changed', { balances }),
  })
  const space = await createDiskSpaceMonitor({ directory: config.dataDir, minimumBytes: minimumFreeBytes })
  const tries = createAttemptLimiter({ store, vault, clock, config })
  const users = createUsers({ store, settings, events: bus, vault, tries, clock, logger, version })
  await users.setup.adoptExisting()
  await setUpUnattended(users.setup, config)
  const knownIdentities = createKnownIdentities({ vault, clock })
  const events = createEventLog({ usage: store.usage, clock })
  const createAccount = createAccounts({ store, settings, knownIdentities, eventLog: events, bus, clock })
  const mailer = createMailer({ settings })
  const notices = createSecurityAlerts({ store, settings, mailer, clock, logger })
  const { setup } = users
  const auditLog = createAuditLog({ store, clock })
  const tokens = createTokens({
    store,
    ledger,
    settings,
    events: bus,
    vault,
    auditLog,
    clock,
    maxTokens: config.MAX_USER_TOKENS,
  })
  return {
    config,
    version,
    node: journal.node,
    logger,
    clock,
    vault,
    bus,
    store,
    settings,
    ledger,
    events,
    knownIdentities,
    createAccount,
    mailer,
    tries,
    notices,
    selfService: createSelfService({
      store,
      settings,
      setup,
      ledger,
      createAccount,
      ...(config.GENERATE_DEFAULT_TOKEN && { giveFirstKey: createFirstKey({ tokens, logger }) }),
      mailer,
      bus,
      vault,
      tries,
      notices,
      clock,
      logger,
    }),
    auditLog,
    outboundGuard: createOutboundGuard({ allowedRanges: () => settings.current.OutboundAllowedRanges }),
    users,
    tokens,
    admitting: () => ledger.admitting && space.hasSpace && claim.held,
    lost: claim.lost,
    async close() {
      space.close()
      await ledger.close()
      await store.close()
      await claim.release()
    },
  }
}
