import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { type ImportedUsage, importedUsageStatements } from '../money/flush/imported-usage.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Quota, Seconds } from '../units.ts'

/** Kinds of rows that are taken once. */
export type ImportedKind =
  | 'option'
  | 'channel'
  | 'user'
  | 'token'
  | 'code'
  | 'order'
  | 'task'
  | 'channel-usage'

export const importedRowTable = defineTable('imported_rows', {
  /** The name of the import. */
  source: text(),
  kind: text<ImportedKind>(),
  /** Its id there. */
  sourceId: text(),
  /** A hash of what never changes about it: by it the same id of another database is told apart. Empty where nothing is so. */
  mark: text(),
  /** Its id here; 0 where it has none. */
  targetId: integer(),
  importedAt: integer(),
})
export type ImportedRow = EntityOf<typeof importedRowTable>

/** Sums over accounts that were imported. */
export interface ImportedAmounts {
  readonly balance: Quota
  readonly used: Quota
  readonly calls: number
}

/** Repository of the rows that were taken from other gateways. */
export function createImportRepository({ db, dialect, batch }: Connection) {
  return {
    /** The rows of these ids that were taken, by the id there. */
    async known(
      source: string,
      kind: ImportedKind,
      sourceIds: readonly string[],
    ): Promise<ReadonlyMap<string, ImportedRow>> {
      const rows = await importedRowTable.all(
        db
          .selectFrom('imported_rows')
          .selectAll()
          .where('source', '=', storableText(source))
          .where('kind', '=', kind)
          .where(dialect.isOneOf('source_id', sourceIds.map(storableText))),
      )
      return new Map(rows.map((row) => [row.sourceId, row]))
    },
    async add(rows: readonly ImportedRow[]): Promise<void> {
      if (rows.length === 0) return
      await db
        .insertInto('imported_rows')
        .values(rows.map((row) => importedRowTable.insertion(row)))
        .execute()
    },
    /** Charges it to accounts, which the ledger credited before, and adds it to the rollups. */
    async addUsage(usage: ImportedUsage): Promise<void> {
      if (usage.calls.length === 0 && usage.charges.length === 0) return
      await batch([...importedUsageStatements(usage, dialect)])
    },
    /**
     * Returns the moment of a run that begins `now`: later than that of every former run of the source, so that its rows differ from
     * those of a run that was killed within the same second.
     */
    async momentOfRun(source: string, now: Seconds): Promise<Seconds> {
      const former = await db
        .selectFrom('imported_rows')
        .where('source', '=', storableText(source))
        .select(sql<number | null>`max(imported_at)`.as('at'))
        .executeTakeFirst()
      return Math.max(now, (former?.at ?? 0) + 1)
    },
    /** Reads the amounts of the accounts that were imported at that time. */
    async amountsOf(source: string, kind: 'user' | 'token', importedAt: Seconds): Promise<ImportedAmounts> {
      const [table, balance, calls] =
        kind === 'user'
          ? ['user_accounts', 'quota', 'request_count']
          : ['token_accounts', 'remain_quota', '0']
      const { rows } = await sql<ImportedAmounts>`
        select cast(coalesce(sum(${sql.raw(balance)}), 0) as bigint) as balance,
          cast(coalesce(sum(used_quota), 0) as bigint) as used,
          cast(coalesce(sum(${sql.raw(calls)}), 0) as bigint) as calls
        from imported_rows join ${sql.table(table)} on id = target_id
        where source = ${storableText(source)} and kind = ${kind} and imported_at = ${importedAt}`.execute(db)
      const [amounts] = rows
      if (amounts === undefined) throw new Error('a sum has no row')
      return amounts
    },
  }
}

export type ImportRepository = ReturnType<typeof createImportRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    imported_rows: RowOf<typeof importedRowTable>
  }
}
