import { afterAll, beforeAll, describe, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../tests/support/postgres.ts'
import { tokenContract, userContract } from './contract/accounts.ts'
import { attemptCountContract } from './contract/attempt-counts.ts'
import { auditContract } from './contract/audit.ts'
import { clearingContract } from './contract/clearing.ts'
import { channelContract, installationContract, smallTableContract } from './contract/configuration.ts'
import { figuresContract } from './contract/figures.ts'
import { fleetContract, identityContract } from './contract/fleet.ts'
import { holdContract } from './contract/holds.ts'
import { importContract } from './contract/imports.ts'
import { leaseContract } from './contract/leases.ts'
import { usageContract } from './contract/logs.ts'
import { ledgerContract, transactionContract } from './contract/money.ts'
import { openingContract } from './contract/opening.ts'
import { postgresForTests, sqliteForTests, type TestDatabase, type TestStore } from './contract/place.ts'
import { schemaContract } from './contract/schema.ts'
import { securityContract } from './contract/security.ts'
import { shareContract } from './contract/shares.ts'
import { signInContract } from './contract/sign-in.ts'
import { storedResponseContract } from './contract/stored-responses.ts'
import { taskContract } from './contract/tasks.ts'
import { userListingContract } from './contract/user-listing.ts'
import { walletContract } from './contract/wallet.ts'
import { openStore } from './open/open-store.ts'
import { peopleContract } from './personal/test-support/people-contract.ts'

// A suite that fills a log before its first test takes seconds beside other work.
setDefaultTimeout(deadline(30_000))

import type { Store } from './store.ts'

/** Every promise of the store, on every database it runs on. */
function contract(database: TestDatabase): void {
  describe(`store on ${database.dialect}`, () => {
    let place: TestStore
    let store: Store

    beforeAll(async () => {
      place = await database.createTestStore()
      store = await openStore(place.config)
    })
    afterAll(async () => {
      await store.close()
      await place.remove()
    })

    userContract(() => store)
    attemptCountContract(() => store)
    userListingContract(
      () => store,
      () => place,
    )
    tokenContract(() => store)
    importContract(() => store)
    channelContract(() => store)
    smallTableContract(() => store)
    installationContract(() => store)
    signInContract(() => store)
    securityContract(() => store)
    ledgerContract(
      () => store,
      () => place,
    )
    holdContract(
      () => store,
      () => place,
    )
    if (database.dialect === 'postgres')
      shareContract(
        () => store,
        () => place,
      )
    transactionContract(() => store)
    walletContract(database)
    usageContract(database)
    figuresContract(database)
    taskContract(() => store)
    leaseContract(() => store)
    identityContract(
      () => store,
      () => place,
    )
    if (database.dialect === 'postgres')
      fleetContract(
        () => store,
        () => place,
      )
    storedResponseContract(() => store)
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
