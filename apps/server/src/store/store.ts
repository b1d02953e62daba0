import { sql } from 'kysely'
import { type AccessTokenRepository, createAccessTokenRepository } from './accounts/access-tokens.ts'
import { type ConsoleViewRepository, createConsoleViewRepository } from './accounts/console-views.ts'
import { createFormerKeyRepository, type FormerKeyRepository } from './accounts/former-keys.ts'
import { createGroupMemberRepository, type GroupMemberRepository } from './accounts/group-members.ts'
import { createKnownIdentityRepository, type KnownIdentityRepository } from './accounts/known-identities.ts'
import { createOneTimeSecretRepository, type OneTimeSecretRepository } from './accounts/one-time-secrets.ts'
import { createPasskeyRepository, type PasskeyRepository } from './accounts/passkeys.ts'
import { createPeopleRepository, type PeopleRepository } from './accounts/people.ts'
import { createQuotaWarningRepository, type QuotaWarningRepository } from './accounts/quota-warnings.ts'
import { createSecondFactorRepository, type SecondFactorRepository } from './accounts/second-factors.ts'
import { createSecurityEventRepository, type SecurityEventRepository } from './accounts/security-events.ts'
import { createSessionRepository, type SessionRepository } from './accounts/sessions.ts'
import { createTokenAddressRepository, type TokenAddressRepository } from './accounts/token-addresses.ts'
import { createTokenRepository, type TokenRepository } from './accounts/tokens.ts'
import { createUserRepository, type UserRepository } from './accounts/users.ts'
import { type AttemptCountRepository, createAttemptCountRepository } from './channels/attempt-counts.ts'
import {
  type ChannelKeySwitchRepository,
  type ChannelSwitchRepository,
  createChannelKeySwitchRepository,
  createChannelSwitchRepository,
} from './channels/channel-switches.ts'
import {
  type ChannelOutcomeRepository,
  type ChannelRepository,
  createChannelOutcomeRepository,
  createChannelRepository,
} from './channels/channels.ts'
import type { Connection, Database } from './database.ts'
import type { DatabaseKind } from './dialects/sql-dialect.ts'
import type { StreamSource } from './engine/connections/worker-messages.ts'
import type { DatabaseDamage } from './engine/damage.ts'
import { StoreFault } from './errors.ts'
import { type ChangeRepository, createChangeRepository } from './fleet/changes.ts'
import { createLeaseRepository, type LeaseRepository } from './fleet/leases.ts'
import { createLimitCountRepository, type LimitCountRepository } from './fleet/limit-counts.ts'
import { createNodeRepository, type NodeRepository } from './fleet/nodes.ts'
import { createIdentityRepository, type IdentityRepository } from './installation/database-identity.ts'
import { createInstallationRepository, type InstallationRepository } from './installation/installation.ts'
import { createLostSecretRepository, type LostSecretRepository } from './installation/lost-secret.ts'
import {
  createOptionRepository,
  createSetupRepository,
  type OptionRepositoryOf,
  type SetupRepository,
} from './installation/options.ts'
import { createSealedTextRepository, type SealedTextRepository } from './installation/sealed-texts.ts'
import { type AuditLogRepository, createAuditLogRepository } from './log/audit-log.ts'
import { createQuarterRepository, type QuarterRepository } from './log/quarters.ts'
import { saveSums } from './log/spend/save-sums.ts'
import type { StatisticsRepository } from './log/statistics.ts'
import { createUsageRepository, type UsageRepository } from './log/usage.ts'
import { createUsageExportRepository, type UsageExportRepository } from './log/usage-exports.ts'
import type { AuditFinding, ClearedSpan } from './money/audit/find-differences.ts'
import type { AdministratorGifts } from './money/audit/near-gifts.ts'
import { type ChargeLinkRepository, createChargeLinkRepository } from './money/charge-links.ts'
import { type CorrectionRepositoryOf, createCorrectionRepository } from './money/corrections.ts'
import { createGoodwillCreditRepository, type GoodwillCreditRepository } from './money/goodwill-credits.ts'
import { createJournalFindingRepository, type JournalFindingRepository } from './money/journal-findings.ts'
import { createLedgerRepository, type LedgerRepositoryOf } from './money/ledger.ts'
import { createRedemptionRepository, type RedemptionRepository } from './money/redemptions.ts'
import type { StatementRepository } from './money/statement.ts'
import { createTopUpOrderRepository, type TopUpOrderRepository } from './money/top-up-orders.ts'
import { createFailedCallRepository, type FailedCallRepository } from './work/failed-calls.ts'
import { createImportRepository, type ImportRepository } from './work/imports.ts'
import { createIncidentRepository, type IncidentRepository } from './work/incidents.ts'
import { createPublicIncidentRepository, type PublicIncidentRepository } from './work/public-incidents.ts'
import { createStoredResponseRepository, type StoredResponseRepository } from './work/stored-responses.ts'
import { createTaskRepository, type TaskRepository } from './work/tasks.ts'

/**
 * The product's interface to a database. Repositories return domain objects, hide SQL and decide nothing. Names:
 * `find…` may return undefined, `findOwn…` has the owner in the query, `list…` is ordered and bounded.
 */
export interface Store {
  readonly kind: DatabaseKind
  readonly users: UserRepository
  readonly tokens: TokenRepository
  readonly formerKeys: FormerKeyRepository
  readonly consoleViews: ConsoleViewRepository
  readonly tokenAddresses: TokenAddressRepository
  readonly channels: ChannelRepository
  readonly channelOutcomes: ChannelOutcomeRepository
  readonly channelSwitches: ChannelSwitchRepository
  readonly channelKeySwitches: ChannelKeySwitchRepository
  readonly options: OptionRepository
  readonly sessions: SessionRepository
  readonly accessTokens: AccessTokenRepository
  readonly securityEvents: SecurityEventRepository
  readonly setups: SetupRepository
  readonly ledger: LedgerRepository
  readonly usage: UsageRepository
  readonly usageExports: UsageExportRepository
  readonly goodwill: GoodwillCreditRepository
  readonly chargeLinks: ChargeLinkRepository
  readonly statements: StatementRepository
  readonly statistics: StatisticsRepository
  readonly quarters: QuarterRepository
  readonly attemptCounts: AttemptCountRepository
  readonly tasks: TaskRepository
  readonly leases: LeaseRepository
  readonly identity: IdentityRepository
  readonly sealedTexts: SealedTextRepository
  readonly lostSecret: LostSecretRepository
  /** Nodes, on PostgreSQL alone, as the changes are. */
  readonly nodes: NodeRepository
  readonly changes: ChangeRepository
  readonly limitCounts: LimitCountRepository
  readonly storedResponses: StoredResponseRepository
  readonly failedCalls: FailedCallRepository
  readonly journalFindings: JournalFindingRepository
  readonly incidents: IncidentRepository
  readonly publicIncidents: PublicIncidentRepository
  readonly installation: InstallationRepository
  readonly audit: AuditRepository
  readonly auditLog: AuditLogRepository
  readonly oneTimeSecrets: OneTimeSecretRepository
  readonly redemptions: RedemptionRepository
  readonly topUpOrders: TopUpOrderRepository
  readonly knownIdentities: KnownIdentityRepository
  readonly quotaWarnings: QuotaWarningRepository
  readonly secondFactors: SecondFactorRepository
  readonly passkeys: PasskeyRepository
  readonly people: PeopleRepository
  readonly imports: ImportRepository
  readonly groupMembers: GroupMemberRepository
  readonly corrections: CorrectionRepository
  /**
   * Runs `work` in one transaction, with a store whose calls all belong to it. Rolls back when `work` throws. It may run more than
   * once, from its beginning: the last run alone is written.
   */
  transaction<T>(work: (tx: Store) => Promise<T>): Promise<T>
  /** Streams what the program's own thread makes of the database: see `Database`. Not within a transaction. */
  stream(source: StreamSource): AsyncIterable<Uint8Array>
  /**
   * A number that changes when another process has written the database. On PostgreSQL changes announce themselves, and it stays.
   */
  foreignWrites(): Promise<number>
  /** Returns the damage that the database has shown; `undefined` while no call has met any. */
  damage(): DatabaseDamage | undefined
  /**
   * Looks for damage that no call has met, beside what goes on; on PostgreSQL there is nothing to look at.
   * @throws StoreFault with what it found
   */
  checkPages(signal: AbortSignal): Promise<void>
  /** Resolves when the database responds within 1.5 s; rejects otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type LedgerRepository = LedgerRepositoryOf<Store>
export type OptionRepository = OptionRepositoryOf<Store>
export type CorrectionRepository = CorrectionRepositoryOf<Store>

export interface AuditRepository {
  /** Recomputes every balance and rollup from its parts, in SQL; returns the differences. */
  findings(): Promise<AuditFinding[]>
  /** The time whose charges rest on sums; see `readClearedSpan`. */
  clearedSpan(): Promise<ClearedSpan | undefined>
  /** Reads the gifts of administrators to accounts near them; see `readNearGifts`. */
  nearGifts(moneyOptions: readonly string[]): Promise<AdministratorGifts[]>
}

/** A store over one `connection`. */
function createStoreOn(
  connection: Connection,
  close: () => Promise<void>,
  stream: Store['stream'] = refuseStream,
): Store {
  return {
    kind: connection.dialect.kind,
    users: createUserRepository(connection),
    tokens: createTokenRepository(connection),
    formerKeys: createFormerKeyRepository(connection),
    consoleViews: createConsoleViewRepository(connection),
    tokenAddresses: createTokenAddressRepository(connection),
    channels: createChannelRepository(connection),
    options: createOptionRepository(connection, (joined) => createStoreOn(joined, refuseClose)),
    channelOutcomes: createChannelOutcomeRepository(connection),
    channelSwitches: createChannelSwitchRepository(connection),
    channelKeySwitches: createChannelKeySwitchRepository(connection),
    sessions: createSessionRepository(connection),
    accessTokens: createAccessTokenRepository(connection),
    securityEvents: createSecurityEventRepository(connection),
    setups: createSetupRepository(connection),
    ledger: createLedgerRepository(connection, (joined) => createStoreOn(joined, refuseClose)),
    usage: createUsageRepository(connection),
    usageExports: createUsageExportRepository(connection),
    failedCalls: createFailedCallRepository(connection),
    journalFindings: createJournalFindingRepository(connection),
    incidents: createIncidentRepository(connection),
    publicIncidents: createPublicIncidentRepository(connection),
    installation: createInstallationRepository(connection),
    goodwill: createGoodwillCreditRepository(connection),
    chargeLinks: createChargeLinkRepository(connection),
    statements: {
      read: (subject, times) => connection.read('readStatement', subject, times),
      charges: (userId, times) => connection.read('readCharges', userId, times),
    },
    statistics: {
      list: (range, userId) => connection.read('readUsageBuckets', range, userId),
      margins: (query) => connection.read('readMargins', query),
      groupUsage: (since, models) => connection.read('readGroupUsage', since, models),
      spend: (requested) => connection.read('readSpendPage', requested),
      spenders: (times) => connection.read('readSpenders', times),
      saveSpend: (span, times, columns) => saveSums(connection, span, times, columns),
      spendLines: (times, userIds) => connection.read('readSpendLines', times, userIds),
      modelTotals: (since, today, userId) => connection.read('readModelTotals', since, today, userId),
    },
    quarters: createQuarterRepository(connection),
    attemptCounts: createAttemptCountRepository(connection),
    tasks: createTaskRepository(connection),
    leases: createLeaseRepository(connection),
    identity: createIdentityRepository(connection),
    sealedTexts: createSealedTextRepository(connection),
    lostSecret: createLostSecretRepository(connection),
    nodes: createNodeRepository(connection),
    changes: createChangeRepository(connection),
    limitCounts: createLimitCountRepository(connection),
    storedResponses: createStoredResponseRepository(connection),
    auditLog: createAuditLogRepository(connection),
    oneTimeSecrets: createOneTimeSecretRepository(connection),
    redemptions: createRedemptionRepository(connection),
    topUpOrders: createTopUpOrderRepository(connection),
    knownIdentities: createKnownIdentityRepository(connection),
    quotaWarnings: createQuotaWarningRepository(connection),
    secondFactors: createSecondFactorRepository(connection),
    passkeys: createPasskeyRepository(connection),
    people: createPeopleRepository(connection),
    imports: createImportRepository(connection),
    groupMembers: createGroupMemberRepository(connection),
    corrections: createCorrectionRepository(connection, (joined) => createStoreOn(joined, refuseClose)),
    audit: {
      findings: () => connection.read('findDifferences'),
      clearedSpan: () => connection.read('readClearedSpan'),
      nearGifts: (moneyOptions) => connection.read('readNearGifts', moneyOptions),
    },
    transaction: (work) => connection.transaction((joined) => work(createStoreOn(joined, refuseClose))),
    stream,
    foreignWrites: () => foreignWrites(connection),
    damage: () => connection.damage.found,
    checkPages: async (signal) => connection.checkPages?.(signal),
    ping: createPing(() => sql`select 1`.execute(connection.db)),
    close,
  }
}

/** https://www.sqlite.org/pragma.html#pragma_data_version */
async function foreignWrites({ db, dialect }: Connection): Promise<number> {
  if (dialect.kind !== 'sqlite') return 0
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db)
  return rows[0]?.data_version ?? 0
}

async function refuseClose(): Promise<void> {
  throw new Error('a transaction cannot close the store')
}

function refuseStream(): never {
  throw new Error('this store has no thread that streams')
}

/** Creates the store; closing it is idempotent. */
export function createStore(database: Database): Store {
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= database.close()
    return closing
  }
  return createStoreOn(database, close, database.stream)
}

const defaultLimitMs = 1500

/**
 * Checks whether the database responds in time. Concurrent checks share one probe, so that probes of a hanging database do
 * not pile up.
 */
function createPing(ask: () => Promise<unknown>, limitMs = defaultLimitMs): () => Promise<void> {
  let asking: Promise<unknown> | undefined
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new StoreFault('unavailable', `The database did not respond within ${limitMs} ms.`)),
      limitMs,
    )
    try {
      await Promise.race([asking, late.promise])
    } finally {
      clearTimeout(timer)
      // A later failure has no waiting caller.
      asking?.catch(() => undefined)
    }
  }
}
