import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** A random name of the database, by which a journal knows whether it was written for it. It goes with every backup. */
export function databaseIdentity({ kind, tableEnd }: SqlDialect): string[] {
  const random =
    kind === 'sqlite'
      ? 'lower(hex(randomblob(16)))'
      : 'md5(random()::text || random()::text || clock_timestamp()::text)'
  return [
    `create table database_identity (id text not null primary key) ${tableEnd}`,
    `insert into database_identity (id) values (${random})`,
  ]
}
