import { readGroupMembers } from './accounts/read-group-members.ts'
import { readUserPage } from './accounts/user-listing.ts'
import {
  readAttemptsAtChannels,
  readAttemptsByChannel,
  readCallCounts,
  readCallers,
  readCallSteps,
} from './channels/read-attempt-counts.ts'
import { readRouteObservations } from './channels/route-observations.ts'
import { readDatabaseId, readJournalPosition, readJournalSpans } from './engine/state.ts'
import { readSchemaState } from './engine/upgrade/schema-state.ts'
import { readGroupUsage } from './log/group-usage.ts'
import { readFailurePage, readFailures } from './log/index/failures.ts'
import { readHistogram } from './log/index/histogram.ts'
import { readPage, readQuota, readRecent, readRow } from './log/index/read.ts'
import { readBatch, readCallsAfter, readSearch } from './log/index/scan.ts'
import { readTop } from './log/index/top.ts'
import { readMargins } from './log/margins.ts'
import { readSpendLines } from './log/spend/spend-lines.ts'
import { readSpenders, readSpendPage, readSumsToSave, type SpendQuery } from './log/spend/spend-page.ts'
import type { SpendTimes } from './log/spend/spend-rows.ts'
import { UserSumsMemory } from './log/spend/user-sums.ts'
import { readModelTotals, readUsageBuckets } from './log/statistics.ts'
import { findDifferences, readClearedSpan } from './money/audit/find-differences.ts'
import { readNearGifts } from './money/audit/near-gifts.ts'
import { readCharges, readStatement } from './money/statement.ts'
import type { Program } from './program.ts'

/** Reads that scan. They run beside the event loop: see the workers in dialects/. */
const statelessPrograms = {
  readPage,
  readRow,
  readTop,
  readQuota,
  readRecent,
  readBatch,
  readCallsAfter,
  readSearch,
  readHistogram,
  readFailures,
  readFailurePage,
  readUsageBuckets,
  readModelTotals,
  readMargins,
  readGroupUsage,
  readSpendLines,
  readStatement,
  readCharges,
  readAttemptsByChannel,
  readRouteObservations,
  readAttemptsAtChannels,
  readCallCounts,
  readCallers,
  readCallSteps,
  findDifferences,
  readClearedSpan,
  readNearGifts,
  readUserPage,
  readGroupMembers,
  readJournalPosition,
  readJournalSpans,
  readDatabaseId,
  readSchemaState,
}

/** Memory of a thread that reads, from one read to the next. */
export interface ReadMemory {
  readonly userSums: UserSumsMemory
}

/** Creates the empty memory of a thread that starts. */
export function createReadMemory(): ReadMemory {
  return { userSums: new UserSumsMemory() }
}

function programsWith({ userSums }: ReadMemory) {
  return {
    ...statelessPrograms,
    readSpendPage: (requested: SpendQuery) => readSpendPage(requested, userSums),
    readSpenders: (times: SpendTimes) => readSpenders(times, userSums),
    readSumsToSave: (times: SpendTimes, columns: number) => readSumsToSave(times, columns, userSums),
  }
}

type ReadPrograms = ReturnType<typeof programsWith>
export type ReadName = keyof ReadPrograms
export type ReadArguments<Name extends ReadName> = Parameters<ReadPrograms[Name]>
export type ReadResult<Name extends ReadName> =
  ReturnType<ReadPrograms[Name]> extends Program<infer Result> ? Result : never

/** Reads that may scan the sums of all users for seconds. Where one thread reads, log pages would wait for them. */
const longReads: ReadonlySet<ReadName> = new Set([
  'readSpendPage',
  'readSpenders',
  'readSumsToSave',
  'readSpendLines',
  'readStatement',
  'readTop',
  'readMargins',
  'findDifferences',
  'readNearGifts',
])

/** Returns whether a read may take seconds. */
export function isLong(name: ReadName): boolean {
  return longReads.has(name)
}

export function readProgram<Name extends ReadName>(
  name: Name,
  args: ReadArguments<Name>,
  memory: ReadMemory,
): Program<ReadResult<Name>> {
  // Name and arguments belong together by the signature; TypeScript does not follow that through the table.
  const program = programsWith(memory)[name] as unknown as (
    ...provided: ReadArguments<Name>
  ) => Program<ReadResult<Name>>
  return program(...args)
}
