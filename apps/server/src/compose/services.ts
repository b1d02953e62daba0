import { monotonicClock, systemClock } from '@tollgate/base'
import type { Mailer } from '../accounts/mail/mailer.ts'
import { createMailer } from '../accounts/mail/mailer.ts'
import { createFirstKey } from '../accounts/tokens/first-key.ts'
import { createKeyAddresses, type KeyAddresses } from '../accounts/tokens/key-addresses.ts'
import { createTokens, type Tokens } from '../accounts/tokens/tokens.ts'
import { type CreateAccount, createAccounts } from '../accounts/users/create-account.ts'
import { createKnownIdentities, type KnownIdentities } from '../accounts/users/known-identities.ts'
import { type AttemptLimiter, createAttemptLimiter } from '../accounts/users/login/guesses/attempt-limiter.ts'
import { createSecurityAlerts, type SecurityAlerts } from '../accounts/users/login/security-alerts.ts'
import { createSecurityEvents, type SecurityEvents } from '../accounts/users/login/security-events.ts'
import type { Setup } from '../accounts/users/setup.ts'
import { createUsers, type Users } from '../accounts/users/users.ts'
import { journalDatabase, journalFolder, openJournal } from '../billing/journal/open.ts'
import { reportFindings } from '../billing/journal-findings.ts'
import { createLedger } from '../billing/ledger/ledger.ts'
import type { Ledger } from '../billing/ledger-types.ts'
import { upgradeRecord } from '../billing/upgrade-record.ts'
import type { Config } from '../config.ts'
import { aheadOfDatabase } from '../fleet/clock-skew.ts'
import { ClockWatch } from '../fleet/clock-watch.ts'
import { connectionNameOf, type Fleet } from '../fleet/fleet.ts'
import { NodeState } from '../fleet/node-state.ts'
import { refuseUnfitNode } from '../fleet/start-checks.ts'
import { createEventBus } from '../lib/async/event-bus.ts'
import { createDiskSpaceMonitor } from '../lib/disk-space-monitor.ts'
import type { Logger } from '../lib/logger.ts'
import { createDeliveryQueue, type DeliveryQueue } from '../lib/outbound/delivery-queue.ts'
import { createOutboundGuard, type OutboundGuard } from '../lib/outbound/outbound-guard.ts'
import type { WindowShare } from '../lib/sliding-window.ts'
import { startStoreThread } from '../operations/exports/threaded-exports.ts'
import { openVault } from '../operations/secrets/open-vault.ts'
import type { Rotation } from '../operations/secrets/rotation.ts'
import { createAuditLog } from '../records/audit-log/audit-log.ts'
import { recordVersion } from '../records/audit-log/record-upgrade.ts'
import { createEventLog } from '../records/logs/event-log.ts'
import type { Services } from '../services.ts'
import { createSettings } from '../settings/create-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import { claimNode } from '../store/engine/open/claim-node.ts'
import { openStore } from '../store/engine/open/open-store.ts'
import type { Machine } from '../workers/machine.ts'
import { createSharedCounts } from '../workers/shared-counts.ts'
import { composeFleet } from './fleet.ts'
import { composeRotation, secretsOf } from './secrets.ts'

/** Bytes of free space below which the database may soon have no space for the content of the journal. */
const minFreeBytes = 1024 * 1024

/** A worker alone starts over its folder: who has it locked settles what the former one left, and is done soon. */
const folderWaitMs = 10_000

/** The base of every module, opened in the order of their dependencies. */
export interface AllServices extends Services {
  readonly config: Config
  readonly version: string
  /** Name of this node, the same over its restarts. */
  readonly node: string
  readonly fleet: Fleet
  /** Text of the heartbeat about calls at draining channels; set once calls can come. */
  readonly drainingCalls: { text: () => string }
  readonly clockWatch: ClockWatch
  readonly settings: Settings
  readonly ledger: Ledger
  readonly outboundGuard: OutboundGuard
  readonly users: Users
  readonly tokens: Tokens
  readonly keyAddresses: KeyAddresses
  readonly knownIdentities: KnownIdentities
  readonly createAccount: CreateAccount
  readonly mailer: Mailer
  /** Mails and webhooks that are sent in the background. */
  readonly deliveries: DeliveryQueue
  readonly attempts: AttemptLimiter
  readonly alerts: SecurityAlerts
  readonly rotation: Rotation
  readonly securityEvents: SecurityEvents
  readonly nodeState: NodeState
  /** The machine whose worker this process is; absent for a process that serves by itself. */
  readonly machine: Machine | undefined
  /** The other processes of this machine that count a window, by its name; `undefined` for a process that serves by itself. */
  readonly sharedCounts: (name: string) => WindowShare | undefined
  /** Resolves when this process must stop: another one runs its node. */
  readonly lost: Promise<Error>
  close(): Promise<void>
}

/** Sets the installation up for unattended starts. Changes nothing once it is set up. */
async function setUpUnattended(setup: Setup, { TOLLGATE_ROOT_PASSWORD: password }: Config): Promise<void> {
  if (password === undefined || (await setup.isDone())) return
  const mode = { SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await setup.run({ username: 'root', password, confirmPassword: password, ...mode })
}

/** The journal of the node that a configuration is of. */
export function journalDirectory({
  dataDir,
  nodeDir = dataDir,
}: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'nodeDir'>>): string {
  return journalFolder(nodeDir)
}

/**
 * Opens data directory, database and journal, and replays the journal. Throws errors whose message is one line for the
 * operator.
 */
export async function openServices(
  config: Config,
  logger: Logger,
  version: string,
  machine?: Machine,
): Promise<AllServices> {
  const clock = systemClock
  const secrets = secretsOf(config)
  const bus = createEventBus<ChangeEvents>((error) =>
    logger.error(
      { err: error },
      'a part of Tollgate failed to follow a change: restart the node if what it shows is stale, and report this entry',
    ),
  )
  const journal = openJournal({
    directory: journalDirectory(config),
    clock: monotonicClock,
    logger,
    syncMs: config.JOURNAL_SYNC_MS,
    lockWaitMs: machine && folderWaitMs,
  })
  // Before a migration: an older process may still be using the database.
  const { node } = journal
  const { DATABASE_URL: databaseUrl, dataDir } = config
  const connectionName = connectionNameOf(node)
  const claim = await claimNode({ databaseUrl, node, connectionName, logger })
  const store = await openStore({
    databaseUrl,
    dataDir,
    journalDatabase: journalDatabase(journalDirectory(config)),
    connectionName,
    upgradeCopy: config.UPGRADE_COPY,
    processes: machine?.seat.count,
    startThread: startStoreThread,
    ...upgradeRecord(node, clock, logger),
    logger,
  })
  await refuseUnfitNode({ store, clock })
  const { vault, ring } = await openVault(secrets, store.identity)
  const clockWatch = new ClockWatch({
    wall: clock,
    monotonic: monotonicClock,
    aheadOfDatabase: store.kind === 'postgres' ? () => aheadOfDatabase(store, clock) : undefined,
    logger,
  })
  clockWatch.start()
  const sharedCounts = machine === undefined ? () => undefined : createSharedCounts(machine)
  const fleet = await composeFleet({ config, version, node, store, bus, logger, machine, sharedCounts })
  const drainingCalls = { text: () => '' }
  await fleet.join(() => ({
    journalSeq: journal.lastSeq,
    journalLag: journal.lag,
    keyIds: ring.ids.join(' '),
    drainingCalls: drainingCalls.text(),
  }))
  const settings = await createSettings({ options: store.options, vault, bus, logger })
  const ledger = await createLedger({
    repository: store.ledger,
    journal,
    fleet,
    clock,
    logger,
    reportFindings: (findings) =>
      reportFindings(findings, { journalFindings: store.journalFindings, logger }),
    onBalancesChanged: (balances) => bus.publish('balances-changed', { balances }),
  })
  bus.subscribe('token-changed', ({ id }) => ledger.limitChanged(id))
  bus.subscribe('everything-changed', ({ inBalances }) => inBalances && ledger.changesMissed())
  const space = await createDiskSpaceMonitor({ directory: dataDir, minBytes: minFreeBytes })
  const eventLog = createEventLog({ usage: store.usage, clock })
  const auditLog = createAuditLog({ store, clock })
  const services = { config, version, store, settings, ledger, vault, bus, clock, logger, auditLog, eventLog }
  const attempts = createAttemptLimiter(services)
  const knownIdentities = createKnownIdentities(services)
  const createAccount = createAccounts({ ...services, knownIdentities })
  const mailer = createMailer(services)
  const deliveries = createDeliveryQueue({ logger })
  const securityEvents = createSecurityEvents(services)
  const alerts = createSecurityAlerts({ ...services, mailer, deliveries, securityEvents })
  const keyAddresses = createKeyAddresses(services)
  const tokens = createTokens({ ...services, events: bus, maxTokens: config.MAX_USER_TOKENS })
  const users = createUsers({
    ...services,
    mailer,
    deliveries,
    attempts,
    alerts,
    securityEvents,
    createAccount,
    ...(config.GENERATE_DEFAULT_TOKEN && { giveFirstKey: createFirstKey({ tokens, logger }) }),
  })
  await recordVersion({ dataDir, version, node, auditLog })
  await users.setup.adoptExisting()
  await setUpUnattended(users.setup, config)
  // Another node that starts prints the code that those before it have printed.
  if (fleet.nodes() === 1 && !(await users.setup.isDone())) await users.setupCode.renew()
  return {
    ...services,
    node,
    machine,
    sharedCounts,
    fleet,
    drainingCalls,
    clockWatch,
    knownIdentities,
    createAccount,
    mailer,
    deliveries,
    attempts,
    alerts,
    securityEvents,
    users,
    tokens,
    keyAddresses,
    rotation: composeRotation({ config, secrets, ring, store, fleet, connectionName, bus, logger }),
    outboundGuard: createOutboundGuard({ allowedRanges: () => settings.current.OutboundAllowedRanges }),
    nodeState: new NodeState({ ledger, space, claim, fleet }),
    lost: claim.lost,
    async close() {
      space.close()
      clockWatch.close()
      await ledger.close()
      await fleet.close()
      await store.close()
      await claim.release()
    },
  }
}
