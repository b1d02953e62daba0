import type { TestStore } from '../../../contract/place.ts'

/** Everything that makes up a schema, one text for each part, in their order. */
export async function describeSchema({ sql, config }: TestStore): Promise<readonly string[]> {
  const queries = config.databaseUrl === undefined ? [sqliteParts] : postgresParts
  const parts = await Promise.all(queries.map((query) => sql(query)))
  return parts
    .flat()
    .map((row) => Object.values(row).join(' '))
    .toSorted()
}

/** Kysely's own tables are those of the former programs, too. */
const sqliteParts = `select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'`

const here = `(select oid from pg_namespace where nspname = 'public')`

const postgresParts = [
  `select 'column', table_name, column_name, ordinal_position, data_type, is_nullable, coalesce(column_default, '')
    from information_schema.columns where table_schema = 'public' and table_name not like 'logs\\_2%'`,
  `select 'index', indexdef from pg_indexes where schemaname = 'public' and tablename not like 'logs\\_2%'`,
  `select 'constraint', conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = ${here} and conrelid::regclass::text not like 'logs\\_2%'`,
  `select 'trigger', pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
  `select 'function', pg_get_functiondef(oid) from pg_proc where pronamespace = ${here}`,
  `select 'table', relname, relkind::text, relpersistence::text from pg_class
    where relnamespace = ${here} and relkind in ('r', 'p', 'S') and relname not like 'logs\\_2%'`,
]
