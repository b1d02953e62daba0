import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { searchTextOf } from '../user-search.ts'

/**
 * What lists of users filter and search by, in one narrow index in the order of ids, and in one in the order of names.
 * PostgreSQL cannot have a text of any length in an index; there the table is scanned for a keyword.
 */
export function userSearch({ kind }: SqlDialect): string[] {
  const filters = `role, status, "group", deleted_at`
  const text = kind === 'sqlite' ? ', search_text' : ''
  return [
    `alter table users add column search_text text not null default ''`,
    `create index users_listed on users (id, ${filters}${text})`,
    `create index users_by_name on users (lower(username), id, ${filters})`,
    'create index audit_log_by_kind on audit_log (target_kind, id)',
  ]
}

interface Named {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly display_name: string
}

const rowsAtOnce = 1000

/** Databases fold no case but that of the Latin alphabet, so users who are there already are folded here. */
export async function fillSearchTexts(db: Kysely<unknown>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Named>`
      select id, username, email, display_name from users where id > ${after} order by id limit ${rowsAtOnce}`.execute(
      db,
    )
    for (const row of rows)
      await sql`update users set search_text = ${searchTextOf(row)} where id = ${row.id}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
