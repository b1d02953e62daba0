import { redemptionStatuses } from '@tollgate/api/roles'
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import type { Redemption } from '../entities.ts'
import type { RedemptionFilter, RedemptionOrder, RedemptionRepository } from '../redemption-repository.ts'
import type { RedemptionRow } from '../tables.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, named, optionalInteger, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<Redemption> = {
  id: integer('id'),
  creatorId: integer('creator_id'),
  keyHash: text('key_hash'),
  keySealed: text('key_sealed'),
  name: text('name'),
  status: named('status', redemptionStatuses),
  quota: integer('quota'),
  createdAt: integer('created_at'),
  redeemedAt: optionalInteger('redeemed_at'),
  usedUserId: optionalInteger('used_user_id'),
  deletedAt: optionalInteger('deleted_at'),
}

const { unused, disabled, used } = redemptionStatuses

export function createRedemptionRepository({ db, dialect }: Connection): RedemptionRepository {
  const live = () => db.selectFrom('redemptions').where('deleted_at', 'is', null)
  const change = (row: Updateable<RedemptionRow>) =>
    db.updateTable('redemptions').set(row).where('deleted_at', 'is', null)
  const matching = (filter: RedemptionFilter) => {
    let found = live()
    if (filter.status !== undefined) found = found.where('status', '=', redemptionStatuses[filter.status])
    if (filter.keyword !== undefined) found = found.where(matchesKeyword(dialect, filter.keyword))
    return found
  }

  return {
    async createMany(codes) {
      if (codes.length === 0) return []
      const rows = codes.map((code) =>
        writeColumns<Redemption, Insertable<RedemptionRow>>(fields, { ...code, status: 'unused' }),
      )
      const created = await db.insertInto('redemptions').values(rows).returningAll().execute()
      return created.map((row) => readEntity(fields, row)).toSorted((a, b) => a.id - b.id)
    },
    async find(id) {
      return toRedemption(await live().selectAll().where('id', '=', id).executeTakeFirst())
    },
    async findByKeyHash(keyHash) {
      return toRedemption(await live().selectAll().where('key_hash', '=', keyHash).executeTakeFirst())
    },
    async listByIds(ids) {
      const rows = await live().selectAll().where(dialect.isOneOf('id', ids)).execute()
      return new Map(rows.map((row) => [row.id, readEntity(fields, row)]))
    },
    async page(filter, order, { offset, limit }) {
      const direction = order.descending ? 'desc' : 'asc'
      const page = matching(filter)
        .selectAll()
        .orderBy(sortColumn(dialect, order.by), direction)
        .orderBy('id', direction)
        .offset(offset)
        .limit(limit)
      const count = matching(filter).select((each) => each.fn.countAll<number>().as('total'))
      const [rows, counted] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()])
      return { rows: rows.map((row) => readEntity(fields, row)), total: counted.total }
    },
    async updateUnused(id, { name, quota }) {
      const updated = change({ name: storableText(name), quota })
        .where('id', '=', id)
        .where('status', '=', unused)
        .returningAll()
      return toRedemption(await updated.executeTakeFirst())
    },
    async switchMany(ids, status) {
      const [from, to] = status === 'unused' ? [disabled, unused] : [unused, disabled]
      const switched = change({ status: to })
        .where(dialect.isOneOf('id', ids))
        .where('status', '=', from)
        .returning('id')
      return (await switched.execute()).map(({ id }) => id)
    },
    async markUsed({ id, quota }, userId, at) {
      const marked = change({ status: used, used_user_id: userId, redeemed_at: at })
        .where('id', '=', id)
        .where('status', '=', unused)
        .where('quota', '=', quota)
        .returning('id')
      return (await marked.executeTakeFirst()) !== undefined
    },
    async deleteMany(ids, at) {
      const deleted = change({ deleted_at: at }).where(dialect.isOneOf('id', ids)).returning('id')
      return (await deleted.execute()).map(({ id }) => id)
    },
  }
}

/** As the indexes have it, so that a sorted page reads no more than itself. */
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

/** The last character there is: whatever begins with a text stands between it and it followed by this. */
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

function toRedemption(row: Selectable<RedemptionRow> | undefined): Redemption | undefined {
  return row && readEntity(fields, row)
}
