import type { SecurityEventQuery } from '@tollgate/api'
import type { Pieces } from '../../../lib/async/pieces.ts'
import { byteOrderMark, csvLine } from '../../../lib/csv.ts'
import type { SecurityEvent, SecurityEventFilter } from '../../../store/accounts/security-events.ts'
import type { PageOf } from '../../../store/queries.ts'
import type { Store } from '../../../store/store.ts'

interface Dependencies {
  readonly store: {
    readonly securityEvents: Pick<Store['securityEvents'], 'page' | 'batch'>
    readonly users: Pick<Store['users'], 'idsByUsername'>
  }
}

type Filters = Omit<SecurityEventQuery, 'p' | 'page_size'>
type Paging = Pick<SecurityEventQuery, 'p' | 'page_size'>

/** Rows of an export that are in memory at once. */
const batchRows = 500
const columns = ['time', 'user', 'user_id', 'event', 'detail', 'address', 'user_agent']

/** Security events as people read them: a page, or a file. */
export function createSecurityEventPages({ store }: Dependencies) {
  /** Reads the filter of a query, with users by id, so that a later rename hides no events. */
  async function filterOf(query: Filters): Promise<SecurityEventFilter> {
    const { username, kind, address, start_timestamp: from, end_timestamp: to } = query
    const userIds = username === undefined ? undefined : await store.users.idsByUsername(username)
    return { userIds, kind, address, from, to }
  }

  async function page(
    filter: SecurityEventFilter,
    { p, page_size: limit }: Paging,
  ): Promise<PageOf<SecurityEvent>> {
    const offset = Math.min((p - 1) * limit, Number.MAX_SAFE_INTEGER)
    return store.securityEvents.page(filter, { offset, limit })
  }

  return {
    list: async (query: SecurityEventQuery) => page(await filterOf(query), query),
    listOwn: (userId: number, { kind, ...paging }: Pick<Filters, 'kind'> & Paging) =>
      page({ userIds: [userId], kind }, paging),
    /** The filtered events as CSV, newest first, in pieces that are built on demand. */
    async *export(query: Filters): Pieces {
      yield byteOrderMark + csvLine(columns)
      const filter = await filterOf(query)
      let before = Number.MAX_SAFE_INTEGER
      for (;;) {
        const rows = await store.securityEvents.batch(filter, before, batchRows)
        if (rows.length > 0) yield rows.map(lineOf).join('')
        const last = rows.at(-1)
        if (last === undefined || rows.length < batchRows) return
        before = last.id
      }
    },
  }
}

export type SecurityEventPages = ReturnType<typeof createSecurityEventPages>

function lineOf({ createdAt, username, userId, kind, detail, address, userAgent }: SecurityEvent): string {
  return csvLine([
    new Date(createdAt * 1000).toISOString(),
    username,
    userId,
    kind,
    detail,
    address,
    userAgent,
  ])
}
