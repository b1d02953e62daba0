import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** Why a channel's status changed, as a code; and when its calls last succeeded and failed, apart from the wide rows. */
export function channelOutcomes({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `alter table channels add column status_reason_code text not null default ''`,
    `alter table channels add column status_reason_params text not null default '{}'`,
    `create table channel_outcomes (
      id ${integer} not null primary key,
      last_success_at ${integer} not null,
      last_failure_at ${integer} not null,
      failure_code text not null,
      failure_params text not null
    ) ${tableEnd}`,
    'create index channels_by_tag on channels (tag)',
  ]
}
