import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { firstSchema } from './0001-first.ts'
import { rollupByModel } from './0002-rollup-by-model.ts'
import { accountsApart } from './0003-accounts-apart.ts'
import { databaseIdentity } from './0004-database-identity.ts'
import { holds } from './0005-holds.ts'
import { clearedLogs } from './0006-cleared-logs.ts'
import { consoleTables } from './0007-console.ts'
import { fillSearchTexts, userSearch } from './0008-user-search.ts'
import { quotaWarnings } from './0009-quota-warnings.ts'
import { channelOutcomes } from './0010-channel-outcomes.ts'
import { topUpOrders } from './0011-top-up-orders.ts'
import { logsAndTasks } from './0012-logs-and-tasks.ts'
import { signInTables } from './0014-sign-in.ts'
import { rateLimits } from './0015-rate-limits.ts'
import { storedResponses } from './0016-stored-responses.ts'
import { taskEngine } from './0017-task-engine.ts'
import { knownIdentities } from './0018-known-identities.ts'
import { keepStrippingDots } from './0019-deployment-dots.ts'
import { recentProof } from './0020-recent-proof.ts'

/** Every change of the schema, oldest first, forward only. A released one is never edited: add another. */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-first': firstSchema,
  '0002-rollup-by-model': rollupByModel,
  '0003-accounts-apart': accountsApart,
  '0004-database-identity': databaseIdentity,
  '0005-holds': holds,
  '0006-cleared-logs': clearedLogs,
  '0007-console': consoleTables,
  '0011-top-up-orders': topUpOrders,
  '0012-logs-and-tasks': logsAndTasks,
  '0009-quota-warnings': quotaWarnings,
  '0010-channel-outcomes': channelOutcomes,
  '0014-sign-in': signInTables,
  '0015-rate-limits': rateLimits,
  '0016-stored-responses': storedResponses,
  '0017-task-engine': taskEngine,
  '0018-known-identities': knownIdentities,
  '0019-deployment-dots': () => [],
  '0020-recent-proof': recentProof,
  '0008-user-search': userSearch,
}

/** What a migration works out of the rows that are there, once its statements have run. */
const fills: Readonly<Record<string, (db: Kysely<unknown>) => Promise<void>>> = {
  '0008-user-search': fillSearchTexts,
  '0019-deployment-dots': keepStrippingDots,
}

export function migrations(dialect: SqlDialect): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, statements]) => [
      name,
      {
        async up(db) {
          for (const statement of statements(dialect)) await sql.raw(statement).execute(db)
          await fills[name]?.(db)
        },
      } satisfies Migration,
    ]),
  )
}
