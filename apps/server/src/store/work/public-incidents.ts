import type { PublicIncidentUpdate } from '@tollgate/api'
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow, type Page, type PageOf, readPage } from '../queries.ts'
import {
  defineTable,
  type EntityOf,
  flag,
  generatedId,
  integer,
  json,
  type RowOf,
  text,
  textList,
} from '../schema/table.ts'
import type { Seconds } from '../units.ts'

/** An incident as an operator tells of it on the status page. */
export const publicIncidentTable = defineTable('public_incidents', {
  id: generatedId(),
  title: text(),
  /** Affected models, as they were named. */
  models: textList(),
  /** Texts in the order of time; never empty. */
  updates: json<readonly PublicIncidentUpdate[]>(),
  startedAt: integer(),
  /** 0 while it lasts. */
  endedAt: integer(),
  /** False for one that was taken off the page. */
  published: flag(),
  /** Id of the cause that it is about; 0: none. */
  incidentId: integer(),
})
/** A row of the table. */
export type PublicIncidentRow = EntityOf<typeof publicIncidentTable>

/** Fields that an operator changes after the publication. */
export type PublicIncidentChange = Partial<Omit<PublicIncidentRow, 'id' | 'incidentId'>>

/** Narrows a list to those that last, or that ended. */
export interface PublicIncidentFilter {
  readonly state?: 'open' | 'ended' | undefined
}

/** Reads and writes what is published; decides nothing. */
export function createPublicIncidentRepository({ db, dialect }: Connection) {
  const newestFirst = (filter: PublicIncidentFilter) => {
    let found = db.selectFrom('public_incidents').selectAll()
    if (filter.state !== undefined) found = found.where('ended_at', filter.state === 'ended' ? '>' : '=', 0)
    return found
      .orderBy(sql`case when ended_at = 0 then 0 else 1 end`)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
  }

  return {
    /** Lists the published ones that last, or ended since, as the page has them. */
    listPublished: (since: Seconds, limit: number): Promise<PublicIncidentRow[]> =>
      publicIncidentTable.all(
        newestFirst({})
          .where('published', '=', 1)
          .where(({ eb, or }) => or([eb('ended_at', '=', 0), eb('ended_at', '>=', since)]))
          .limit(limit),
      ),
    /** Lists all of them: those that last first, then the newest. */
    page: (filter: PublicIncidentFilter, page: Page): Promise<PageOf<PublicIncidentRow>> =>
      readPage(publicIncidentTable, newestFirst(filter), page),
    /** Adds one, unless its cause has one; then it is `undefined`. */
    async add(incident: Omit<PublicIncidentRow, 'id'>): Promise<number | undefined> {
      const added = await db
        .insertInto('public_incidents')
        .values(publicIncidentTable.insertion(incident))
        .onConflict((same) => same.doNothing())
        .returning('id')
        .executeTakeFirst()
      return added === undefined ? undefined : Number(added.id)
    },
    /** Locks one for its change. */
    async lock(id: number): Promise<PublicIncidentRow | undefined> {
      const found = sql<object>`select * from public_incidents where id = ${id} ${sql.raw(dialect.lockRow)}`
      const { rows } = await found.execute(db)
      return rows[0] && publicIncidentTable.read(rows[0])
    },
    /** Changes one that is locked; false when it is gone. */
    change: (id: number, change: PublicIncidentChange): Promise<boolean> =>
      hasRow(
        db
          .updateTable('public_incidents')
          .set(publicIncidentTable.change(change))
          .where('id', '=', id)
          .returning('id'),
      ),
  }
}

export type PublicIncidentRepository = ReturnType<typeof createPublicIncidentRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    public_incidents: RowOf<typeof publicIncidentTable>
  }
}
