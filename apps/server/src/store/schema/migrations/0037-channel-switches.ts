import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Times at which channels are switched off and on again. Programs of the version before leave them alone. */
export function channelSwitches({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table channel_switches (
      channel_id ${integer} not null primary key,
      off_at ${integer} not null,
      on_at ${integer} not null,
      set_by ${integer} not null,
      set_at ${integer} not null
    ) ${keyedTableEnd}`,
  ]
}
