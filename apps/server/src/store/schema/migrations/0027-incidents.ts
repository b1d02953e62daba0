import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds the causes of problems: since when, what they cost, who accepted them. Nodes that see the same cause write the same row. */
export function incidents({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table incidents (
      id ${newId},
      kind text not null,
      subject text not null,
      name text not null,
      level ${integer} not null,
      members text not null,
      detail text not null,
      concerned text not null,
      opened_at ${integer} not null,
      seen_at ${integer} not null,
      ended_at ${integer} not null,
      counted_to ${integer} not null,
      calls_lost ${integer} not null,
      money_lost ${integer} not null,
      accepted_until ${integer} not null,
      accepted_at ${integer} not null,
      accepted_id ${integer} not null,
      accepted_by text not null,
      accepted_note text not null,
      accepted_level ${integer} not null,
      accepted_members text not null
    ) ${tableEnd}`,
    // One open row of a cause: its end is 0.
    `create unique index incidents_cause on incidents (kind, subject, ended_at)`,
    `create index incidents_end on incidents (ended_at)`,
  ]
}
