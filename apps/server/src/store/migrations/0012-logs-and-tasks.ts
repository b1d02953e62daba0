import { logTypes } from '@tollgate/api/roles'
import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** What charts, summaries and lists of the log are made from, the visible ends of keys, and the tasks. */
export function logsAndTasks(dialect: SqlDialect): string[] {
  return [...rollups(dialect), ...keysInTheLog(), ...tasks(dialect)]
}

/**
 * Charts of everybody add up all models of all hours: by user there are too many rows for that. Calls that failed are
 * counted beside the others from now on, those that the log still has as well.
 */
function rollups({ integer, keyedTableEnd }: SqlDialect): string[] {
  const sums = ['count', 'quota', 'prompt_tokens', 'completion_tokens']
  const summed = sums.map((sum) => `cast(sum(${sum}) as ${integer})`).join(', ')
  const failed = `from logs where type = ${logTypes.error}`
  return [
    `insert into usage_hourly (hour, type, user_id, model, ${sums.join(', ')})
      select created_at - created_at % 3600, type, user_id, model, count(*), cast(sum(quota) as ${integer}),
        cast(sum(prompt_tokens) as ${integer}), cast(sum(completion_tokens) as ${integer})
      ${failed} group by 1, 2, 3, 4`,
    `create table usage_by_model (
      type ${integer} not null,
      hour ${integer} not null,
      model text not null,
      ${sums.map((sum) => `${sum} ${integer} not null`).join(', ')},
      primary key (type, hour, model)
    ) ${keyedTableEnd}`,
    `insert into usage_by_model (type, hour, model, ${sums.join(', ')})
      select type, hour, model, ${summed} from usage_hourly
      where type in (${logTypes.consumption}, ${logTypes.error}) group by type, hour, model`,
    `create table failures_by_channel (
      hour ${integer} not null,
      channel_id ${integer} not null,
      count ${integer} not null,
      primary key (hour, channel_id)
    ) ${keyedTableEnd}`,
    `insert into failures_by_channel (hour, channel_id, count)
      select created_at - created_at % 3600, channel_id, count(*) ${failed} group by 1, 2`,
  ]
}

/** The index of the log knows the key of every call from now on. Its blocks are sealed anew in the background. */
function keysInTheLog(): string[] {
  return [
    'delete from log_block_parts',
    'delete from log_blocks',
    // What consoles show of a masked key. Keys that are there already are found whole, as before.
    `alter table tokens add column key_head text not null default ''`,
    `alter table tokens add column key_tail text not null default ''`,
  ]
}

/** Work that an upstream finishes later: drawings, music, videos. Times are in milliseconds. */
function tasks({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table tasks (
      id ${newId},
      platform text not null,
      action text not null,
      upstream_id text not null,
      user_id ${integer} not null,
      token_id ${integer} not null,
      channel_id ${integer} not null,
      "group" text not null,
      model text not null,
      hold_id text not null,
      quota ${integer} not null,
      status text not null,
      progress ${integer} not null,
      submitted_ms ${integer} not null,
      started_ms ${integer} not null,
      finished_ms ${integer} not null,
      updated_ms ${integer} not null,
      prompt text not null,
      fail_reason text not null,
      result text not null,
      properties text not null
    ) ${tableEnd}`,
    'create index tasks_by_platform on tasks (platform, id)',
    'create index tasks_by_user on tasks (user_id, platform, id)',
    'create index tasks_by_channel on tasks (channel_id, platform, id)',
    `create index tasks_by_upstream_id on tasks (upstream_id) where upstream_id <> ''`,
    `create unique index tasks_by_hold on tasks (hold_id) where hold_id <> ''`,
    'create index tasks_by_time on tasks (submitted_ms)',
    // Those that are still to be asked about.
    'create index tasks_unfinished on tasks (id) where finished_ms = 0',
  ]
}
