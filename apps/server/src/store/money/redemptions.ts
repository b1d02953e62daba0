import { redemptionRecord, redemptionStatuses } from '@tollgate/api'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { hasRow, idsOf, type Page, type PageOf, readPage } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import {
  defineTable,
  type EntityOf,
  integer,
  optionalInteger,
  type RowOf,
  text,
  withDefault,
} from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

export type NewRedemption = Omit<Redemption, 'id' | 'status' | 'redeemedAt' | 'usedUserId' | 'deletedAt'>

export interface RedemptionFilter {
  readonly status?: Redemption['status'] | undefined
  /** Start of the name, whatever the case; a number is also the id of a code. */
  readonly keyword?: string | undefined
}

export interface RedemptionOrder {
  readonly by: 'id' | 'name' | 'quota' | 'redeemedAt'
  readonly descending: boolean
}

export const redemptionTable = defineTable('redemptions', {
  ...columnsOf(redemptionRecord.omit({ key: true, usedUsername: true })),
  /** Keyed hash of the key, which finds a code. */
  keyHash: text(),
  /** The key, sealed. */
  keySealed: text(),
  /** The administrator below root who made the code, or last changed or enabled it; 0 when only root did. */
  adminId: withDefault(integer()),
  deletedAt: optionalInteger(),
})

/** A code that is worth quota, once. */
export type Redemption = EntityOf<typeof redemptionTable>

const { unused, disabled, used } = redemptionStatuses

export function createRedemptionRepository({ db, dialect }: Connection) {
  const live = () => db.selectFrom('redemptions').where('deleted_at', 'is', null)
  const change = (row: ReturnType<typeof redemptionTable.change>) =>
    db.updateTable('redemptions').set(row).where('deleted_at', 'is', null)
  const matching = (filter: RedemptionFilter) => {
    let found = live()
    if (filter.status !== undefined) found = found.where('status', '=', redemptionStatuses[filter.status])
    if (filter.keyword !== undefined) found = found.where(matchesKeyword(dialect, filter.keyword))
    return found
  }

  return {
    /** Unused codes, all or none, in the order given. Throws `DuplicateError` for a key that exists. */
    async createMany(codes: readonly NewRedemption[]): Promise<Redemption[]> {
      if (codes.length === 0) return []
      const rows = codes.map((code) => redemptionTable.insertion({ ...code, status: 'unused' }))
      const created = await db.insertInto('redemptions').values(rows).returningAll().execute()
      return created.map(redemptionTable.read).toSorted((a, b) => a.id - b.id)
    },
    async find(id: number): Promise<Redemption | undefined> {
      return redemptionTable.first(live().selectAll().where('id', '=', id))
    },
    async findByKeyHash(keyHash: string): Promise<Redemption | undefined> {
      return redemptionTable.first(live().selectAll().where('key_hash', '=', keyHash))
    },
    /** Looks for a code with that hash; deleted ones included. */
    hasKeyHash: (keyHash: string): Promise<boolean> =>
      hasRow(db.selectFrom('redemptions').select('id').where('key_hash', '=', keyHash)),
    /** Reads codes by id. */
    async listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, Redemption>> {
      return redemptionTable.byId(live().selectAll().where(dialect.isOneOf('id', ids)))
    },
    /** The same, and locks them, by their ids, until the transaction ends. */
    async lockByIds(ids: readonly number[]): Promise<ReadonlyMap<number, Redemption>> {
      const locked = live().selectAll().where(dialect.isOneOf('id', ids)).orderBy('id')
      return redemptionTable.byId(locked.modifyEnd(sql.raw(dialect.lockRow)))
    },
    /** Reads a page with the filter's total. */
    async page(filter: RedemptionFilter, order: RedemptionOrder, page: Page): Promise<PageOf<Redemption>> {
      const direction = order.descending ? 'desc' : 'asc'
      const rows = matching(filter)
        .selectAll()
        .orderBy(sortColumn(dialect, order.by), direction)
        .orderBy('id', direction)
      return await readPage(redemptionTable, rows, page)
    },
    /** `undefined`, without a change, when the code does not exist or is not unused. */
    async updateUnused(
      id: number,
      fields: Pick<Redemption, 'name' | 'quota'> & Partial<Pick<Redemption, 'adminId'>>,
    ): Promise<Redemption | undefined> {
      const updated = change(redemptionTable.change(fields))
        .where('id', '=', id)
        .where('status', '=', unused)
        .returningAll()
      return redemptionTable.first(updated)
    },
    /** Disables unused codes, or makes disabled ones unused; returns the ids of those it changed. */
    async switchMany(
      ids: readonly number[],
      status: 'unused' | 'disabled',
      by: Partial<Pick<Redemption, 'adminId'>> = {},
    ): Promise<number[]> {
      const [from, to] = status === 'unused' ? [disabled, unused] : [unused, disabled]
      const switched = change({ ...redemptionTable.change(by), status: to })
        .where(dialect.isOneOf('id', ids))
        .where('status', '=', from)
        .returning('id')
      return idsOf(switched)
    },
    /** False, without a change, when the code is not unused any more, is deleted, or has another quota by now. */
    async markUsed(
      { id, quota }: Pick<Redemption, 'id' | 'quota'>,
      userId: number,
      at: Seconds,
    ): Promise<boolean> {
      const marked = change({ status: used, used_user_id: userId, redeemed_at: at })
        .where('id', '=', id)
        .where('status', '=', unused)
        .where('quota', '=', quota)
        .returning('id')
      return hasRow(marked)
    },
    /** Soft delete; returns the ids of those it deleted. */
    async deleteMany(ids: readonly number[], at: Seconds): Promise<number[]> {
      const deleted = change({ deleted_at: at }).where(dialect.isOneOf('id', ids)).returning('id')
      return idsOf(deleted)
    },
  }
}

/** Returns the column in the form of the indexes, so that a sorted page reads only its own rows. */
function sortColumn(dialect: SqlDialect, by: RedemptionOrder['by']): RawBuilder<unknown> {
  switch (by) {
    case 'name':
      return lowerName(dialect)
    case 'redeemedAt':
      return sql`coalesce(redeemed_at, 0)`
    default:
      return sql.ref(by)
  }
}

function lowerName({ byteOrder }: SqlDialect): RawBuilder<string> {
  return sql<string>`lower(name)${sql.raw(byteOrder)}`
}

/** The last character of Unicode: every text with a prefix sorts between the prefix and the prefix followed by this. */
const lastCharacter = '\u{10ffff}'

function matchesKeyword(dialect: SqlDialect, keyword: string): RawBuilder<SqlBool> {
  const start = storableText(keyword)
  const name = lowerName(dialect)
  const begins = sql<SqlBool>`(${name} >= lower(${start}) and ${name} < lower(${start}) || ${lastCharacter})`
  const id = /^\d{1,15}$/.test(start) ? Number(start) : undefined
  if (id === undefined) return begins
  // Each by its own index: databases read every row for "or".
  return sql<SqlBool>`id in (
    select id from redemptions where id = ${id}
    union all select id from redemptions where deleted_at is null and ${begins})`
}

declare module '../schema/tables.ts' {
  interface Tables {
    redemptions: RowOf<typeof redemptionTable>
  }
}

/** Only counts of redeemed quota include deleted codes. */
export type RedemptionRepository = ReturnType<typeof createRedemptionRepository>
