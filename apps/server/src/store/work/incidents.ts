import type { IncidentKind, IncidentState } from '@tollgate/api'
import { sql } from 'kysely'
import type { ReasonParams } from '../channels/channels.ts'
import type { Connection } from '../database.ts'
import { hasRow, type Page, type PageOf, readPage } from '../queries.ts'
import {
  defineTable,
  type EntityOf,
  generatedId,
  integer,
  json,
  type RowOf,
  text,
  textList,
} from '../schema/table.ts'
import type { Seconds } from '../units.ts'

export interface IncidentDetail {
  readonly reason?: { readonly code: string; readonly params: ReasonParams }
  /** Groups that pay less than the cost. */
  readonly groups?: readonly string[]
  /** Number of all members, where more are concerned than are stored. */
  readonly memberCount?: number
}

/** Models and users of lost calls; both bounded. */
export interface Concerned {
  readonly models: readonly string[]
  readonly users: readonly number[]
}

/** A cause of problems, from its beginning to its end. */
export const incidentTable = defineTable('incidents', {
  id: generatedId(),
  kind: text<IncidentKind>(),
  /** Key of the cause within its kind. */
  subject: text(),
  /** Provider and address, where the cause is there. */
  name: text(),
  level: integer(),
  /** Ids of channels or users, or names of models. */
  members: textList(),
  detail: json<IncidentDetail>(),
  concerned: json<Concerned>(),
  openedAt: integer(),
  seenAt: integer(),
  /** 0 while it lasts. */
  endedAt: integer(),
  /** Lost calls are counted up to this time. */
  countedTo: integer(),
  callsLost: integer(),
  moneyLost: integer(),
  /** End of the acceptance; 0: none, but that of the incident. `notAccepted` when nobody has accepted it. */
  acceptedUntil: integer(),
  acceptedAt: integer(),
  acceptedId: integer(),
  acceptedBy: text(),
  acceptedNote: text(),
  /** The extent that was accepted: beyond it the incident is open again. */
  acceptedLevel: integer(),
  acceptedMembers: textList(),
})
export type IncidentRow = EntityOf<typeof incidentTable>

export const notAccepted = {
  acceptedUntil: -1,
  acceptedAt: 0,
  acceptedId: 0,
  acceptedBy: '',
  acceptedNote: '',
  acceptedLevel: 0,
  acceptedMembers: [],
} as const satisfies Partial<IncidentRow>

export interface IncidentFilter {
  readonly kinds: readonly IncidentKind[]
  readonly state?: IncidentState | undefined
  readonly now: Seconds
}

/** More causes than these at once are no list that a person reads. */
const maxOpen = 500

export function createIncidentRepository({ db, dialect }: Connection) {
  const isQuiet = (now: Seconds) => sql<boolean>`(accepted_until = 0 or accepted_until > ${now})`

  const matching = ({ kinds, state, now }: IncidentFilter) => {
    let found = db.selectFrom('incidents').where(dialect.isOneOf('kind', kinds))
    if (state !== undefined) found = found.where('ended_at', state === 'ended' ? '>' : '=', 0)
    if (state === 'open') found = found.where(sql<boolean>`not ${isQuiet(now)}`)
    if (state === 'quiet') found = found.where(isQuiet(now))
    return found
  }

  return {
    /** Lists the open ones, the oldest first. */
    listOpen: (): Promise<IncidentRow[]> =>
      incidentTable.all(
        db.selectFrom('incidents').selectAll().where('ended_at', '=', 0).orderBy('id').limit(maxOpen),
      ),
    /** Lists those that ended since, the last of each cause last. */
    listEndedSince: (since: Seconds): Promise<IncidentRow[]> =>
      incidentTable.all(
        db
          .selectFrom('incidents')
          .selectAll()
          .where('ended_at', '>=', Math.max(1, since))
          .orderBy('ended_at')
          .orderBy('id')
          .limit(maxOpen),
      ),
    /** Opens the incident of a cause; another node may have done so: there is one open row of a cause. */
    async open(incident: Omit<IncidentRow, 'id'>): Promise<void> {
      await db
        .insertInto('incidents')
        .values(incidentTable.insertion(incident))
        .onConflict((same) => same.columns(['kind', 'subject', 'ended_at']).doNothing())
        .execute()
    },
    /** Writes what was observed, unless another node has counted meanwhile; then it is false. */
    async observe(
      { id, countedTo, endedAt }: Pick<IncidentRow, 'id' | 'countedTo' | 'endedAt'>,
      change: Partial<IncidentRow>,
    ): Promise<boolean> {
      return hasRow(
        db
          .updateTable('incidents')
          .set(incidentTable.change(change))
          .where('id', '=', id)
          .where('counted_to', '=', countedTo)
          .where('ended_at', '=', endedAt)
          .returning('id'),
      )
    },
    /** Ends an acceptance, unless a later one has taken its place. */
    async endAcceptance({ id, acceptedAt }: Pick<IncidentRow, 'id' | 'acceptedAt'>): Promise<void> {
      await db
        .updateTable('incidents')
        .set(incidentTable.change(notAccepted))
        .where('id', '=', id)
        .where('accepted_at', '=', acceptedAt)
        .execute()
    },
    /** Locks an incident for the change of its acceptance. */
    async lock(id: number): Promise<IncidentRow | undefined> {
      const found = sql<object>`select * from incidents where id = ${id} ${sql.raw(dialect.lockRow)}`
      const { rows } = await found.execute(db)
      return rows[0] && incidentTable.read(rows[0])
    },
    async setAcceptance(id: number, acceptance: Pick<IncidentRow, keyof typeof notAccepted>): Promise<void> {
      await db.updateTable('incidents').set(incidentTable.change(acceptance)).where('id', '=', id).execute()
    },
    /** Open ones first, the worst before the others; then those that ended last. */
    page: (filter: IncidentFilter, page: Page): Promise<PageOf<IncidentRow>> =>
      readPage(
        incidentTable,
        matching(filter)
          .selectAll()
          .orderBy(sql`case when ended_at = 0 then 0 else 1 end`)
          .orderBy(sql`case when ended_at = 0 then level else 0 end`, 'desc')
          .orderBy('ended_at', 'desc')
          .orderBy('opened_at', 'desc')
          .orderBy('id', 'desc'),
        page,
      ),
    async deleteEndedBefore(time: Seconds): Promise<void> {
      await db.deleteFrom('incidents').where('ended_at', '>', 0).where('ended_at', '<', time).execute()
    },
  }
}

export type IncidentRepository = ReturnType<typeof createIncidentRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    incidents: RowOf<typeof incidentTable>
  }
}
