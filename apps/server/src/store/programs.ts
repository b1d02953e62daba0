import { readUserPage } from './accounts/user-listing.ts'
import {
  readAttemptsAtChannels,
  readAttemptsByChannel,
  readCallCounts,
} from './channels/read-attempt-counts.ts'
import { readRouteObservations } from './channels/route-observations.ts'
import { readDatabaseId, readJournalPosition, readJournalSpans } from './engine/state.ts'
import { readSchemaState } from './engine/upgrade/schema-state.ts'
import { readFailurePage, readFailures } from './log/index/failures.ts'
import { readHistogram } from './log/index/histogram.ts'
import { readPage, readQuota, readRecent } from './log/index/read.ts'
import { readBatch, readCallsAfter, readSearch } from './log/index/scan.ts'
import { readMargins } from './log/margins.ts'
import { readModelTotals, readSpend, readUsageBuckets } from './log/statistics.ts'
import { findDifferences, readClearedSpan } from './money/audit/find-differences.ts'
import { readNearGifts } from './money/audit/near-gifts.ts'
import type { Program } from './program.ts'

/** Reads that scan. They run beside the event loop: see the workers in dialects/. */
const readPrograms = {
  readPage,
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
  readSpend,
  readAttemptsByChannel,
  readRouteObservations,
  readAttemptsAtChannels,
  readCallCounts,
  findDifferences,
  readClearedSpan,
  readNearGifts,
  readUserPage,
  readJournalPosition,
  readJournalSpans,
  readDatabaseId,
  readSchemaState,
}

export type ReadName = keyof typeof readPrograms
export type ReadArguments<Name extends ReadName> = Parameters<(typeof readPrograms)[Name]>
export type ReadResult<Name extends ReadName> =
  ReturnType<(typeof readPrograms)[Name]> extends Program<infer Result> ? Result : never

export function readProgram<Name extends ReadName>(
  name: Name,
  args: ReadArguments<Name>,
): Program<ReadResult<Name>> {
  // Name and arguments belong together by the signature; TypeScript does not follow that through the table.
  const program = readPrograms[name] as unknown as (
    ...provided: ReadArguments<Name>
  ) => Program<ReadResult<Name>>
  return program(...args)
}
