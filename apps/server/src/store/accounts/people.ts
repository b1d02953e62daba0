import type { BindingProvider } from '@tollgate/api'
import { type RawBuilder, sql } from 'kysely'
import type { Connection } from '../database.ts'
import { quoted } from '../dialects/sql-dialect.ts'
import type { Row } from '../program.ts'
import { idsOf } from '../queries.ts'
import type { Seconds } from '../units.ts'
import { createMergeQueries } from './personal/merges.ts'
import { personalTables } from './personal/personal-columns.ts'
import type { Rewriting } from './personal/rewrite-log.ts'
import { isSwitchedOn } from './tokens.ts'

/** An account as lists of the erased name it, over backups too: ids are given again after a restore. */
export interface ErasedAccount {
  readonly id: number
  readonly createdAt: Seconds
  readonly erasedAt: Seconds
}

/** Rows of one table about a person. */
export interface PersonalRecords {
  readonly table: string
  readonly rows: readonly Row[]
}

/** Repository of all data about people, over all tables: `personal/personal-columns.ts` lists them. */
export function createPeopleRepository(connection: Connection) {
  const { db, dialect, rewriteLogRows } = connection
  return {
    ...createMergeQueries(connection),
    /** Deleted before `time`, with what identifies them; nobody counts from before this database knew of erasure. */
    async dueForErasure(time: Seconds): Promise<readonly number[]> {
      const since = sql<number>`(select max(erasure_since) from database_identity)`
      const due = db
        .selectFrom('users')
        .select('id')
        .where('deleted_at', 'is not', null)
        .where('erased_at', 'is', null)
        .where('deleted_at', '<=', time)
        .where(since, '<=', time)
        .orderBy('id')
      return await idsOf(due)
    },
    /** Those of now. */
    async listErased(): Promise<readonly ErasedAccount[]> {
      const rows = await db
        .selectFrom('users')
        .select(['id', 'created_at', 'erased_at'])
        .where('erased_at', 'is not', null)
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ id: row.id, createdAt: row.created_at, erasedAt: row.erased_at ?? 0 }))
    },
    /** Empties or deletes every row about a user but those of the usage log, in one transaction. */
    async erase(userId: number, at: Seconds): Promise<void> {
      // Conditions of other tables read keys and names, so their own tables come last.
      const last = ['tokens', 'users']
      const names = Object.keys(personalTables).toSorted((a, b) => last.indexOf(a) - last.indexOf(b))
      for (const table of names)
        for (const statement of erasuresOf(table, userId)) await statement.execute(db)
      await db
        .updateTable('users')
        .set({ erased_at: at, credentials_version: sql`credentials_version + 1` })
        .where('id', '=', userId)
        .execute()
    },
    /** Runs an erasure after which the files of the database have nothing of the texts either, as far as the database can say. */
    async overwriting(work: () => Promise<void>): Promise<void> {
      for (const statement of dialect.beforeErasing) await sql.raw(statement).execute(db)
      try {
        await work()
      } finally {
        for (const statement of dialect.afterErasing) await sql.raw(statement).execute(db)
      }
    },
    /** Replaces texts of rows of the usage log, and their part of the index. */
    rewriteLog: (rewriting: Rewriting): Promise<void> => rewriteLogRows(rewriting),
    /** Accounts that are not deleted with an identity of a provider, and how many of their keys work. */
    async bound(provider: BindingProvider): Promise<readonly BoundAccount[]> {
      const column = sql.ref(identityColumns[provider])
      const { rows } = await sql<BoundAccount>`
        select id, username, ${column} as identity, (select count(*) from tokens
          where user_id = users.id and tokens.deleted_at is null and ${isSwitchedOn}) as keys
        from users where deleted_at is null and ${column} <> '' order by id`.execute(db)
      return rows.map((row) => ({ ...row, keys: Number(row.keys) }))
    },
    /** Everything that is stored about a user but rows of the usage log, without secrets. */
    async records(userId: number): Promise<readonly PersonalRecords[]> {
      const found: PersonalRecords[] = []
      for (const [table, { about }] of Object.entries(personalTables)) {
        if (about.length === 0 || table === 'logs') continue
        const condition = about.map(({ rows }) => `(${forUser(rows, userId)})`).join(' or ')
        const { rows } =
          await sql<Row>`select * from ${sql.table(table)} where ${sql.raw(condition)}`.execute(db)
        if (rows.length > 0) found.push({ table, rows: rows.map((row) => ownColumns(table, row)) })
      }
      return found
    },
  }
}

/** An account with an identity elsewhere. */
export interface BoundAccount {
  readonly id: number
  readonly username: string
  readonly identity: string
  /** Number of its keys that work. */
  readonly keys: number
}

const identityColumns = {
  email: 'email',
  github: 'github_id',
  oidc: 'oidc_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
  linuxdo: 'linux_do_id',
} as const satisfies Record<BindingProvider, string>

function erasuresOf(table: string, userId: number): RawBuilder<unknown>[] {
  const { about } = personalTables[table] ?? { about: [] }
  return about.flatMap(({ rows, erase }) => {
    const condition = sql.raw(forUser(rows, userId))
    if (erase === 'all') return [sql`delete from ${sql.table(table)} where ${condition}`]
    const sets = Object.entries(erase).map(([column, { after }]) => `${quoted(column)} = ${after}`)
    if (sets.length === 0) return []
    return [sql`update ${sql.table(table)} set ${sql.raw(sets.join(', '))} where ${condition}`]
  })
}

function forUser(condition: string, userId: number): string {
  if (!Number.isSafeInteger(userId)) throw new TypeError('the id of a user is an integer')
  return condition.replaceAll(':user', String(userId))
}

/** Columns with the operator's costs and the routes of calls. */
const operatorColumns = ['cost', 'costed_quota', 'costed_calls', 'channel_id', 'creator_id', 'admin_id']

/** A row as its person may have it. */
function ownColumns(table: string, row: Row): Row {
  const { about = [], impersonal = {} } = personalTables[table] ?? {}
  const isHidden = (column: string) =>
    operatorColumns.includes(column) ||
    ['hash', 'sealed'].includes(impersonal[column] ?? '') ||
    about.some(({ erase, secrets }) =>
      erase === 'all' ? secrets?.includes(column) : erase[column]?.isSecret === true,
    )
  return Object.fromEntries(Object.entries(row).filter(([column]) => !isHidden(column)))
}

export type PeopleRepository = ReturnType<typeof createPeopleRepository>
