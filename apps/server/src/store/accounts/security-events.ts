import type { SecurityEventKind } from '@tollgate/api'
import type { Connection } from '../database.ts'
import { type Page, type PageOf, readPage } from '../queries.ts'
import { defineTable, type EntityOf, generatedId, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

const securityEventTable = defineTable('security_events', {
  id: generatedId(),
  createdAt: integer(),
  userId: integer(),
  /** Name at that time. */
  username: text(),
  kind: text<SecurityEventKind>(),
  detail: text(),
  /** Address of the client. */
  address: text(),
  userAgent: text(),
})

/** One thing that happened to an account. */
export type SecurityEvent = EntityOf<typeof securityEventTable>

export interface SecurityEventFilter {
  /** Users of the events. */
  readonly userIds?: readonly number[] | undefined
  readonly kind?: SecurityEventKind | undefined
  readonly address?: string | undefined
  /** Both inclusive. */
  readonly from?: Seconds | undefined
  readonly to?: Seconds | undefined
}

export function createSecurityEventRepository({ db, dialect }: Connection) {
  const matching = ({ userIds, from, to, ...fields }: SecurityEventFilter) => {
    let found = db.selectFrom('security_events').where(({ and }) => and(securityEventTable.filter(fields)))
    if (userIds !== undefined) found = found.where(dialect.isOneOf('user_id', userIds))
    if (from !== undefined) found = found.where('created_at', '>=', from)
    if (to !== undefined) found = found.where('created_at', '<=', to)
    return found.selectAll().orderBy('id', 'desc')
  }

  return {
    async append(event: Omit<SecurityEvent, 'id'>): Promise<void> {
      await db.insertInto('security_events').values(securityEventTable.insertion(event)).execute()
    },
    /** Newest first, with the filter's total. */
    page(filter: SecurityEventFilter, page: Page): Promise<PageOf<SecurityEvent>> {
      return readPage(securityEventTable, matching(filter), page)
    },
    /** Newest first, those before an id alone. */
    batch(filter: SecurityEventFilter, beforeId: number, limit: number): Promise<SecurityEvent[]> {
      return securityEventTable.all(matching(filter).where('id', '<', beforeId).limit(limit))
    },
    async deleteBefore(time: Seconds): Promise<void> {
      await db.deleteFrom('security_events').where('created_at', '<', time).execute()
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    security_events: RowOf<typeof securityEventTable>
  }
}

export type SecurityEventRepository = ReturnType<typeof createSecurityEventRepository>
