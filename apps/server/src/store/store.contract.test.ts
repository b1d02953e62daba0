import { afterAll, beforeAll, describe, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../tests/support/postgres.ts'
import { tokenContract, userContract } from './accounts/contract/accounts.ts'
import { securityContract } from './accounts/contract/security.ts'
import { signInContract } from './accounts/contract/sign-in.ts'
import { userListingContract } from './accounts/contract/user-listing.ts'
import { peopleContract } from './accounts/personal/test-support/people-contract.ts'
import { attemptCountContract } from './channels/contract/attempt-counts.ts'
import { channelContract } from './channels/contract/channels.ts'
import { switchContract } from './channels/contract/switches.ts'
import { postgresForTests, sqliteForTests, type TestDatabase, type TestStore } from './contract/place.ts'
import { openingContract } from './engine/contract/opening.ts'
import { schemaContract, unstorableTextContract } from './engine/contract/schema.ts'
import { openStore } from './engine/open/open-store.ts'
import { fleetContract, identityContract } from './fleet/contract/fleet.ts'
import { leaseContract } from './fleet/contract/leases.ts'
import { installationContract, smallTableContract } from './installation/contract/configuration.ts'
import { auditLogContract } from './log/contract/audit-log.ts'
import { clearingContract } from './log/contract/clearing.ts'
import { figuresContract } from './log/contract/figures.ts'
import { usageContract } from './log/contract/logs.ts'
import { spendContract } from './log/contract/spend.ts'
import { auditContract } from './money/contract/audit.ts'
import { holdContract } from './money/contract/holds.ts'
import { ledgerContract, transactionContract } from './money/contract/money.ts'
import { shareContract } from './money/contract/shares.ts'
import { statementContract } from './money/contract/statement.ts'
import { walletContract } from './money/contract/wallet.ts'
import { importContract } from './work/contract/imports.ts'
import { incidentContract } from './work/contract/incidents.ts'
import { publicIncidentContract } from './work/contract/public-incidents.ts'
import { storedResponseContract } from './work/contract/stored-responses.ts'
import { taskContract } from './work/contract/tasks.ts'

// A suite that fills a log before its first test takes seconds beside other work.
setDefaultTimeout(deadline(30_000))

import type { Store } from './store.ts'

/** Every promise of the store, on every database it runs on. */
function contract(database: TestDatabase): void {
  describe(`store on ${database.dialect}`, () => {
    let testStore: TestStore
    let store: Store

    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore(testStore.config)
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })

    userContract(() => store)
    unstorableTextContract(() => store)
    attemptCountContract(() => store)
    userListingContract(
      () => store,
      () => testStore,
    )
    tokenContract(() => store)
    importContract(() => store)
    channelContract(() => store)
    switchContract(() => store)
    smallTableContract(() => store)
    auditLogContract(() => store)
    installationContract(() => store)
    signInContract(() => store)
    securityContract(() => store)
    ledgerContract(
      () => store,
      () => testStore,
    )
    holdContract(
      () => store,
      () => testStore,
    )
    if (database.dialect === 'postgres')
      shareContract(
        () => store,
        () => testStore,
      )
    transactionContract(() => store)
    walletContract(database)
    usageContract(database)
    figuresContract(database)
    spendContract(database)
    statementContract(database)
    taskContract(() => store)
    leaseContract(() => store)
    identityContract(
      () => store,
      () => testStore,
    )
    if (database.dialect === 'postgres')
      fleetContract(
        () => store,
        () => testStore,
      )
    storedResponseContract(() => store)
    incidentContract(() => store)
    publicIncidentContract(() => store)
    clearingContract(database)
    auditContract(database)
    openingContract(database)
    peopleContract(database)
    schemaContract(database)
  })
}

contract(sqliteForTests)

if (hasPostgres()) {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())
  contract(postgresForTests(() => postgres))
} else {
  const isBuildServer = process.env['CI'] === 'true'
  describe('store on postgres', () => {
    it.skipIf(!isBuildServer)('not run: there is no PostgreSQL server here', () => {
      throw new Error('CI needs a PostgreSQL server')
    })
  })
}
