import { sql } from 'kysely'
import { isSwitchedOn } from '../accounts/tokens.ts'
import type { Connection } from '../database.ts'
import type { DatabaseKind } from '../dialects/sql-dialect.ts'
import { countRows } from '../queries.ts'
import type { Seconds } from '../units.ts'

/** Size of the database on its disk, and of its empty part. */
export interface DatabaseSize {
  readonly bytes: number
  /** Size of pages that deletions left and the next rows take; always 0 where the server looks after them. */
  readonly freeBytes: number
}

/** Money that is left at the upstream of a channel, in the upstream's currency. */
export interface ChannelBalance {
  readonly channel: number
  readonly balance: number
  /** Time when it was read. */
  readonly at: Seconds
}

/** https://www.sqlite.org/pragma.html#pragfunc, https://www.postgresql.org/docs/current/functions-admin.html */
const sizes: Readonly<Record<DatabaseKind, string>> = {
  sqlite: `select page_count * page_size as bytes, freelist_count * page_size as free
    from pragma_page_count, pragma_page_size, pragma_freelist_count`,
  postgres: 'select pg_database_size(current_database()) as bytes, 0 as free',
}

/** Repository of figures that are monitored beside calls. */
export function createInstallationRepository({ db, dialect }: Connection) {
  return {
    /** Connections that a PostgreSQL server takes of accounts that are no superusers; `undefined` of a file. */
    async maxConnections(): Promise<number | undefined> {
      if (dialect.kind !== 'postgres') return undefined
      const { rows } = await sql<{ max: number }>`
        select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max
      `.execute(db)
      return rows[0]?.max
    },
    async size(): Promise<DatabaseSize> {
      const { rows } = await sql<{ bytes: number; free: number }>`${sql.raw(sizes[dialect.kind])}`.execute(db)
      return { bytes: Number(rows[0]?.bytes ?? 0), freeBytes: Number(rows[0]?.free ?? 0) }
    },
    /** Counts the API keys in use that expire in the time. */
    countEndingKeys: (from: Seconds, to: Seconds): Promise<number> =>
      countRows(
        db
          .selectFrom('tokens')
          .where('deleted_at', 'is', null)
          .where(isSwitchedOn)
          .where('expires_at', '>=', from)
          .where('expires_at', '<', to),
      ),
    /** Reads the balances of channels, by id, where one was ever read. */
    async balances(): Promise<readonly ChannelBalance[]> {
      return await db
        .selectFrom('channels')
        .select(['id as channel', 'balance', 'balance_updated_at as at'])
        .where('balance_updated_at', '>', 0)
        .orderBy('id')
        .execute()
    },
  }
}

/** Sizes, ends of keys, and balances at upstreams. */
export type InstallationRepository = ReturnType<typeof createInstallationRepository>
