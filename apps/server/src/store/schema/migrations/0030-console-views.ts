import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds sessions in which an administrator sees the console as a user does. Nodes of the version before know none, and refuse them. */
export function consoleViews({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table console_views (
      session_hash text not null,
      user_id ${integer} not null,
      viewer_id ${integer} not null,
      address text not null,
      started_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (session_hash, user_id)
    ) ${tableEnd}`,
    'create index console_views_by_end on console_views (expires_at)',
  ]
}
