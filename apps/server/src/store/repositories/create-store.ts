import { sql } from 'kysely'
import type { Connection, Database } from '../database.ts'
import { createPing } from '../ping.ts'
import type { Store } from '../store.ts'
import { createAuditLogRepository } from './audit-log.ts'
import { createChannelOutcomeRepository } from './channel-outcomes.ts'
import { createChannelRepository } from './channels.ts'
import { createStatisticsRepository } from './figures.ts'
import { createKnownIdentityRepository } from './known-identities.ts'
import { createLeaseRepository } from './leases.ts'
import { createLedgerRepository } from './ledger.ts'
import { createOneTimeSecretRepository } from './one-time-secrets.ts'
import { createOptionRepository } from './options.ts'
import { createPasskeyRepository } from './passkeys.ts'
import { createQuotaWarningRepository } from './quota-warnings.ts'
import { createRedemptionRepository } from './redemptions.ts'
import { createSecondFactorRepository } from './second-factors.ts'
import { createSessionRepository } from './sessions.ts'
import { createSetupRepository } from './setups.ts'
import { createStoredResponseRepository } from './stored-responses.ts'
import { createTaskRepository } from './tasks.ts'
import { createTokenRepository } from './tokens.ts'
import { createTopUpOrderRepository } from './top-up-orders.ts'
import { createUsageRepository } from './usage.ts'
import { createUserRepository } from './users.ts'

/** The store whose calls all go over `connection`. */
function createStoreOn(connection: Connection, close: () => Promise<void>): Store {
  return {
    kind: connection.dialect.kind,
    users: createUserRepository(connection),
    tokens: createTokenRepository(connection),
    channels: createChannelRepository(connection),
    options: createOptionRepository(connection, (joined) => createStoreOn(joined, refuseClose)),
    channelOutcomes: createChannelOutcomeRepository(connection),
    sessions: createSessionRepository(connection),
    setups: createSetupRepository(connection),
    ledger: createLedgerRepository(connection, (joined) => createStoreOn(joined, refuseClose)),
    usage: createUsageRepository(connection),
    statistics: createStatisticsRepository(connection),
    tasks: createTaskRepository(connection),
    leases: createLeaseRepository(connection),
    storedResponses: createStoredResponseRepository(connection),
    auditLog: createAuditLogRepository(connection),
    oneTimeSecrets: createOneTimeSecretRepository(connection),
    redemptions: createRedemptionRepository(connection),
    topUpOrders: createTopUpOrderRepository(connection),
    knownIdentities: createKnownIdentityRepository(connection),
    quotaWarnings: createQuotaWarningRepository(connection),
    secondFactors: createSecondFactorRepository(connection),
    passkeys: createPasskeyRepository(connection),
    audit: { findings: () => connection.read('findDifferences') },
    transaction: (work) => connection.transaction((joined) => work(createStoreOn(joined, refuseClose))),
    ping: createPing(() => sql`select 1`.execute(connection.db)),
    close,
  }
}

async function refuseClose(): Promise<void> {
  throw new Error('a transaction cannot close the store')
}

/** Closing twice is closing once. */
export function createStore(database: Database): Store {
  let closing: Promise<void> | undefined
  return createStoreOn(database, () => {
    closing ??= database.close()
    return closing
  })
}
