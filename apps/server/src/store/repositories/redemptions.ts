/** Redemption codes: their entity, row, and queries. Deleted codes are found only by what counts redeemed quota. */
import { redemptionStatuses } from '@tollgate/api'
import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import type { Seconds } from '../entities.ts'
import { fieldsOf } from '../record.ts'
import { type Redemption, type RedemptionRow, storedRedemption } from '../records.ts'
import { storableText } from '../text.ts'
import { readEntity, writeColumns } from './fields.ts'

export type NewRedemption = Omit<Redemption, 'id' | 'status' | 'redeemedAt' | 'usedUserId' | 'deletedAt'>

export interface RedemptionFilter {
  readonly status?: Redemption['status'] | undefined
  /** Beginning of the name in any case; a number is also looked for as an id. */
  readonly keyword?: string | undefined
}

export interface RedemptionPage {
  readonly offset: number
  readonly limit: number
  readonly sort: keyof Redemption
  readonly descending: boolean
}

const fields = fieldsOf(storedRedemption)
const { unused, disabled, used } = redemptionStatuses

export type RedemptionRepository = ReturnType<typeof createRedemptionRepository>

export function createRedemptionRepository({ db, dialect }: Connection) {
  const live = () => db.selectFrom('redemptions').where('deleted_at', 'is', null)
  const change = (row: Updateable<RedemptionRow>) =>
    db.updateTable('redemptions').set(row).where('deleted_at', 'is', null)
  const matching = ({ status, keyword }: RedemptionFilter) => {
    let found = live()
    if (status !== undefined) found = found.where('status', '=', redemptionStatuses[status])
    if (keyword !== undefined) found = found.where(matchesKeyword(dialect, keyword))
    return found
  }

  return {
    /** Creates unused codes, all or none, in the order given. Throws `DuplicateError` for a key that exists. */
    async createMany(codes: readonly NewRedemption[]): Promise<Redemption[]> {
      if (codes.length === 0) return []
      const rows = codes.map((code) =>
        writeColumns<Redemption, Insertable<RedemptionRow>>(fields, { ...code, status: 'unused' }),
      )
      const created = await db.insertInto('redemptions').values(rows).returningAll().execute()
      return created.map((row) => readEntity(fields, row)).toSorted((a, b) => a.id - b.id)
    },
    async find(id: number): Promise<Redemption | undefined> {
      const row = await live().selectAll().where('id', '=', id).executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async findByKeyHash(keyHash: string): Promise<Redemption | undefined> {
      const row = await live().selectAll().where('key_hash', '=', keyHash).executeTakeFirst()
      return row && readEntity(fields, row)
    },
    /** By id. */
    async listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, Redemption>> {
      const rows = await live().selectAll().where(dialect.isOneOf('id', ids)).execute()
      return new Map(rows.map((row) => [row.id, readEntity(fields, row)]))
    },
    /** A page with the filter's total. */
    async page(filter: RedemptionFilter, { offset, limit, sort, descending }: RedemptionPage) {
      const direction = descending ? 'desc' : 'asc'
      const page = matching(filter)
        .selectAll()
        .orderBy(sortColumn(dialect, sort), direction)
        .orderBy('id', direction)
        .offset(offset)
        .limit(limit)
      const count = matching(filter).select((each) => each.fn.countAll<number>().as('total'))
      const [rows, counted] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()])
      return { rows: rows.map((row) => readEntity(fields, row)), total: counted.total }
    },
    /** Returns `undefined`, and changes nothing, when there is no such code or it is not unused. */
    async updateUnused(
      id: number,
      fieldsToChange: Pick<Redemption, 'name' | 'quota'>,
    ): Promise<Redemption | undefined> {
      const row = writeColumns<Redemption, Updateable<RedemptionRow>>(fields, fieldsToChange)
      const updated = change(row).where('id', '=', id).where('status', '=', unused).returningAll()
      const after = await updated.executeTakeFirst()
      return after && readEntity(fields, after)
    },
    /** Disables unused codes, or makes disabled ones unused; returns the ids of those it changed. */
    async switchMany(ids: readonly number[], status: 'unused' | 'disabled'): Promise<number[]> {
      const [from, to] = status === 'unused' ? [disabled, unused] : [unused, disabled]
      const switched = change({ status: to })
        .where(dialect.isOneOf('id', ids))
        .where('status', '=', from)
        .returning('id')
      return (await switched.execute()).map(({ id }) => id)
    },
    /** Returns false, and changes nothing, when the code is not unused any more, deleted, or of another quota by now. */
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
      return (await marked.executeTakeFirst()) !== undefined
    },
    /** Soft delete; returns the ids of those it deleted. */
    async deleteMany(ids: readonly number[], at: Seconds): Promise<number[]> {
      const deleted = change({ deleted_at: at }).where(dialect.isOneOf('id', ids)).returning('id')
      return (await deleted.execute()).map(({ id }) => id)
    },
  }
}

/** As the indexes have it, so that a sorted page reads no more than itself. */
function sortColumn(dialect: SqlDialect, sort: keyof Redemption): RawBuilder<unknown> {
  switch (sort) {
    case 'name':
      return lowerName(dialect)
    case 'redeemedAt':
      return sql`coalesce(redeemed_at, 0)`
    default:
      return sql.ref(sort)
  }
}

function lowerName({ byteOrder }: SqlDialect): RawBuilder<string> {
  return sql<string>`lower(name)${sql.raw(byteOrder)}`
}

/** The greatest character: every text that begins with a prefix sorts before the prefix followed by it. */
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
