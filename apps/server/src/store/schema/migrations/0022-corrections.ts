import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Corrections of charges that were made at a wrong price: what each changed, in sum by hour and for each call. */
export function corrections({ newId, integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table corrections (
      id ${newId},
      created_at ${integer} not null,
      actor_id ${integer} not null,
      actor_name text not null,
      reason text not null,
      selection text not null,
      state text not null,
      calls ${integer} not null,
      users ${integer} not null,
      amount ${integer} not null,
      ended_at ${integer} not null,
      taken_back_at ${integer} not null,
      taken_back_by text not null,
      taken_back_reason text not null
    ) ${tableEnd}`,
    `create table correction_sums (
      correction_id ${integer} not null,
      user_id ${integer} not null,
      hour ${integer} not null,
      model text not null,
      token_id ${integer} not null,
      channel_id ${integer} not null,
      calls ${integer} not null,
      amount ${integer} not null,
      costed_quota ${integer} not null,
      applied ${integer} not null,
      primary key (correction_id, user_id, hour, model, token_id, channel_id)
    ) ${keyedTableEnd}`,
    `create index correction_sums_open on correction_sums (correction_id, applied, user_id)`,
    `create table corrected_charges (
      log_id ${integer} not null,
      correction_id ${integer} not null,
      amount ${integer} not null,
      primary key (log_id, correction_id)
    ) ${keyedTableEnd}`,
  ]
}
