import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds the time of each user's last log-in, frozen keys, the keys that a rotation replaced, and the addresses that keys were used from.
 * It only adds, and columns have defaults: nodes of the version before continue to work.
 */
export function keysOfEverybody(dialect: SqlDialect): string[] {
  const { kind } = dialect
  return [
    ...logins(dialect),
    ...freezes(dialect),
    ...formerKeys(dialect),
    ...addresses(dialect),
    ...(kind === 'postgres' ? besideFormerPrograms : []),
  ]
}

/** The condition of every filter of the list is in the index that the list is sorted by. */
const listed = 'id, role, status, "group", deleted_at'

function logins({ kind, integer }: SqlDialect): string[] {
  const lastLogins = `update users set last_login_at = known.at from
    (select user_id, max(created_at) as at from security_events where kind = 'login' group by user_id) as known
    where known.user_id = users.id`
  return [
    `alter table users add column last_login_at ${integer} not null default 0`,
    // Nodes hold nothing of what this changes.
    ...(kind === 'postgres'
      ? [
          'alter table users disable trigger announce_user',
          lastLogins,
          'alter table users enable trigger announce_user',
        ]
      : [lastLogins]),
    `create index users_by_login on users (last_login_at, ${listed})`,
    `create index users_by_creation on users (created_at, ${listed})`,
  ]
}

function freezes({ integer }: SqlDialect): string[] {
  return [
    `alter table tokens add column frozen_at ${integer}`,
    `alter table tokens add column freeze_cause text not null default ''`,
    `alter table tokens add column freeze_note text not null default ''`,
    `alter table tokens add column status_before_freeze ${integer} not null default 1`,
  ]
}

function formerKeys({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table former_keys (
      key_hash text not null primary key,
      token_id ${integer} not null,
      key_head text not null,
      key_tail text not null,
      replaced_at ${integer} not null,
      ends_at ${integer} not null
    ) ${tableEnd}`,
    'create index former_keys_by_token on former_keys (token_id, ends_at)',
  ]
}

function addresses({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table token_addresses (
      token_id ${integer} not null,
      address text not null,
      first_seen_at ${integer} not null,
      last_seen_at ${integer} not null,
      calls ${integer} not null,
      primary key (token_id, address)
    ) ${keyedTableEnd}`,
    'create index token_addresses_by_time on token_addresses (last_seen_at)',
  ]
}

const besideFormerPrograms = [
  // A frozen key is switched off, which former programs refuse; they do not switch it on either.
  `create function leave_frozen() returns trigger language plpgsql as $$
    begin
      new.status := 2;
      return new;
    end
  $$`,
  `create trigger leave_frozen before update of status on tokens
    for each row when (new.frozen_at is not null and new.status <> 2) execute function leave_frozen()`,
  `create trigger announce_former_key after insert or update or delete on former_keys
    for each row execute function announce_change('token', 'token_id', 'key_hash')`,
]
