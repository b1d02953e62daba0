import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { initialSchema } from './migrations/0001-initial.ts'
import { balanceShares } from './migrations/0002-balance-shares.ts'
import { fleetSchema } from './migrations/0003-fleet.ts'
import { limitCounts } from './migrations/0004-limit-counts.ts'
import { logPartitions } from './migrations/0005-log-partitions.ts'
import { attemptCounts } from './migrations/0006-attempt-counts.ts'
import { logSpans } from './migrations/0007-log-spans.ts'
import { costs } from './migrations/0008-costs.ts'
import { paymentReversals } from './migrations/0009-payment-reversals.ts'
import { secretRotation } from './migrations/0010-secret-rotation.ts'
import { imports } from './migrations/0011-imports.ts'
import { usageExport } from './migrations/0012-usage-export.ts'
import { securityEvents } from './migrations/0013-security-events.ts'
import { failedCalls } from './migrations/0014-failed-calls.ts'
import { journalIdentity } from './migrations/0015-journal-identity.ts'
import { paymentIdentity } from './migrations/0016-payment-identity.ts'
import { privilegedUsers } from './migrations/0017-privileged-users.ts'
import { credentialVersions } from './migrations/0018-credentials.ts'
import { upgrades } from './migrations/0020-upgrades.ts'
import { corrections } from './migrations/0022-corrections.ts'
import { people } from './migrations/0023-people.ts'
import { correctionActors } from './migrations/0024-correction-actors.ts'
import { moves } from './migrations/0025-moves.ts'
import { quarterHours } from './migrations/0026-quarter-hours.ts'
import { incidents } from './migrations/0027-incidents.ts'
import { publicIncidents } from './migrations/0028-public-incidents.ts'
import { keysOfEverybody } from './migrations/0029-keys-of-everybody.ts'
import { consoleViews } from './migrations/0030-console-views.ts'
import { orderMoney } from './migrations/0034-order-money.ts'
import { explainedCharges } from './migrations/0035-explained-charges.ts'
import { channelSwitches } from './migrations/0037-channel-switches.ts'
import { drainsAndKeySwitches } from './migrations/0038-drains-and-key-switches.ts'
import { spendSums } from './migrations/0039-spend-sums.ts'
import { auditReversals } from './migrations/0040-audit-reversals.ts'

/**
 * Every change of the schema, forward only. They run in any order of landing, so that databases of every commit start. One that has
 * landed is never edited: add another, and `npm run migrations -- --record`. A change adds what programs of the version before
 * leave alone; what they cannot read waits until every live node reads it (`upgrade/stored-forms.ts`).
 */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-initial': initialSchema,
  '0002-balance-shares': balanceShares,
  '0003-fleet': fleetSchema,
  '0004-limit-counts': limitCounts,
  '0005-log-partitions': logPartitions,
  '0006-attempt-counts': attemptCounts,
  '0007-log-spans': logSpans,
  '0008-costs': costs,
  '0009-payment-reversals': paymentReversals,
  '0010-secret-rotation': secretRotation,
  '0011-imports': imports,
  '0012-usage-export': usageExport,
  '0013-security-events': securityEvents,
  '0014-failed-calls': failedCalls,
  '0015-journal-identity': journalIdentity,
  '0016-payment-identity': paymentIdentity,
  '0017-privileged-users': privilegedUsers,
  '0018-credentials': credentialVersions,
  '0020-upgrades': upgrades,
  '0022-corrections': corrections,
  '0023-people': people,
  '0024-correction-actors': correctionActors,
  '0025-moves': moves,
  '0026-quarter-hours': quarterHours,
  '0027-incidents': incidents,
  '0028-public-incidents': publicIncidents,
  '0029-keys-of-everybody': keysOfEverybody,
  '0030-console-views': consoleViews,
  '0034-order-money': orderMoney,
  '0035-explained-charges': explainedCharges,
  '0037-channel-switches': channelSwitches,
  '0038-drains-and-key-switches': drainsAndKeySwitches,
  '0039-spend-sums': spendSums,
  '0040-audit-reversals': auditReversals,
}

/** Names of this program's migrations, in the order of the list. */
export const migrationNames: readonly string[] = Object.keys(schemas)

/** The statements of a migration. */
export function statementsOf(name: string, dialect: SqlDialect): readonly string[] {
  return schemas[name]?.(dialect) ?? []
}

/** The migrations as Kysely runs them. */
export function migrations(dialect: SqlDialect): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, statements]) => [
      name,
      {
        async up(db) {
          for (const statement of statements(dialect)) await sql.raw(statement).execute(db)
        },
      } satisfies Migration,
    ]),
  )
}
