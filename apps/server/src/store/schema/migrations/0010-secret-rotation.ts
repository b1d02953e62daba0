import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds columns for a change of the master key: the hash key outlives it, and nodes name the keys that they know. */
export function secretRotation({ kind }: SqlDialect): string[] {
  return [
    // Sealed with the active key, which its text names; empty until a program that knows of it has started.
    `alter table database_identity add column hash_key_sealed text not null default ''`,
    // Id of the key with which everything is sealed that was found.
    `alter table database_identity add column resealed_key text not null default ''`,
    ...(kind === 'postgres' ? [`alter table nodes add column key_ids text not null default ''`] : []),
  ]
}
