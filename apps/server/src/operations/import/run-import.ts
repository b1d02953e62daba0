import type { ImportContext } from './import-context.ts'
import { ImportError } from './import-source.ts'
import type { TableReport } from './report.ts'
import { takeChannels, takeChannelUsage } from './take/take-channels.ts'
import { takeCodes, takeOrders } from './take/take-money.ts'
import { takeOptions } from './take/take-options.ts'
import { takeTasks } from './take/take-tasks.ts'
import { refuseOtherKeys, takeTokens } from './take/take-tokens.ts'
import { takeUsers } from './take/take-users.ts'

/** Outcome for each table, as lines. */
export interface ImportReport {
  readonly lines: readonly string[]
  /** The lines without names of people, for the audit log. */
  readonly record: readonly string[]
  /** Rows that this run has taken. */
  readonly taken: number
}

/**
 * Takes from the source what was not taken before, each row whole in a transaction with the note that it was taken: a run that is
 * killed is continued by the next one. Returns what became of each table.
 * @throws ImportError with one sentence when the source cannot be taken over
 */
export async function runImport(context: ImportContext): Promise<ImportReport> {
  const { source } = context
  await refuseOtherUnit(context)
  await refuseOtherKeys(context)
  const options = await takeOptions(context)
  const spent = new Map<string, number>()
  const channels = await takeChannels(context, spent)
  const users = await takeUsers(context)
  const tokens = await takeTokens(context)
  await takeChannelUsage(context, channels, spent)
  const tables: TableReport[] = [options, channels, ...users, tokens]
  tables.push(await takeCodes(context), await takeOrders(context), ...(await takeTasks(context)))
  const unplaced = await source.unplaced()
  const left = [
    ...unplaced.map(({ table, rows, why }) => `${table}: ${rows} read, not taken: ${why}`),
    ...source.remarks(),
  ]
  return {
    lines: [...tables.flatMap(({ lines }) => lines), ...left],
    record: [...tables.flatMap(({ record }) => record), ...left],
    taken: tables.reduce((sum, table) => sum + table.taken, 0),
  }
}

/**
 * Refuses a source with another unit, as amounts are taken unchanged. Where nobody is yet, the unit comes along with the options.
 */
async function refuseOtherUnit({ source, settings, store }: ImportContext): Promise<void> {
  const here = settings.current.QuotaPerUnit
  if (source.quotaPerUnit === undefined || source.quotaPerUnit === here) return
  if (await store.users.rootExists())
    throw new ImportError(
      `A dollar has ${source.quotaPerUnit} units of quota there and ${here} here: set QuotaPerUnit alike first.`,
    )
}
