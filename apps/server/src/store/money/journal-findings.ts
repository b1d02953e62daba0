import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

/**
 * `torn`: the end of a journal after a power cut. `damage`: calls are lost, or a file is damaged. The others: a file of another
 * journal was among its own.
 */
export type JournalFindingKind = 'torn' | 'damage' | 'foreign-node' | 'foreign-database'

export const journalFindingTable = defineTable('journal_findings', {
  /** The same at every start that finds it. */
  id: text(),
  node: text(),
  kind: text<JournalFindingKind>(),
  /** Names of the files that are kept aside, with blanks in between. */
  files: text(),
  /** Bounds of how many settled calls are lost. */
  atLeast: integer(),
  atMost: integer(),
  foundAt: integer(),
})
/** Finding of a lost, damaged or misplaced part in the journal of a node. */
export type JournalFinding = EntityOf<typeof journalFindingTable>

/** Most that a list has. */
const maxListed = 100

export function createJournalFindingRepository({ db }: Connection) {
  return {
    /** Writes those that are not known yet, and returns them. */
    async add(findings: readonly JournalFinding[]): Promise<JournalFinding[]> {
      const added: JournalFinding[] = []
      for (const finding of findings) {
        const rows = await db
          .insertInto('journal_findings')
          .values(journalFindingTable.insertion(finding))
          .onConflict((known) => known.column('id').doNothing())
          .returning('id')
          .execute()
        if (rows.length > 0) added.push(finding)
      }
      return added
    },
    /** Those found since, newest first. */
    async listSince(since: Seconds): Promise<JournalFinding[]> {
      return await journalFindingTable.all(
        db
          .selectFrom('journal_findings')
          .selectAll()
          .where('found_at', '>=', since)
          .orderBy('found_at', 'desc')
          .orderBy('id')
          .limit(maxListed),
      )
    },
  }
}

/** Repository of the findings in the journals of all nodes. */
export type JournalFindingRepository = ReturnType<typeof createJournalFindingRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    journal_findings: RowOf<typeof journalFindingTable>
    journal_spans: { run: string; first_seq: number; last_seq: number; node: string }
  }
}
