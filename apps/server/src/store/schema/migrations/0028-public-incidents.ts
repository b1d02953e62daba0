import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds what operators publish on the status page. Programs of the version before neither show nor change it. */
export function publicIncidents({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table public_incidents (
      id ${newId},
      title text not null,
      models text not null,
      updates text not null,
      started_at ${integer} not null,
      ended_at ${integer} not null,
      published ${integer} not null,
      incident_id ${integer} not null
    ) ${tableEnd}`,
    `create index public_incidents_end on public_incidents (ended_at)`,
    // Two administrators who publish one cause at once publish it once; 0 is for none.
    `create unique index public_incidents_cause on public_incidents (incident_id) where incident_id > 0`,
  ]
}
