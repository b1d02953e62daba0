import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds what nodes say of the calls that are open at draining channels, and times at which keys of channels are switched. Programs of the
 * version before leave both alone.
 */
export function drainsAndKeySwitches({ kind, integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table channel_key_switches (
      channel_id ${integer} not null,
      key_id text not null,
      off_at ${integer} not null,
      on_at ${integer} not null,
      set_by ${integer} not null,
      set_at ${integer} not null,
      primary key (channel_id, key_id)
    ) ${keyedTableEnd}`,
    ...(kind === 'postgres' ? ofNodes : []),
  ]
}

const ofNodes = [
  `alter table nodes add column draining_calls text not null default ''`,
  // A former program leaves this one, too, as a later one of the same node wrote it.
  `create or replace function forget_key_ids() returns trigger language plpgsql as $$
    begin
      new.key_ids := '';
      new.draining_calls := '';
      return new;
    end
  $$`,
]
