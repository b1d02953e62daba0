import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Nodes, announced changes, and leases by the database's clock. */
export function fleetSchema(dialect: SqlDialect): string[] {
  const { integer } = dialect
  const shared = [
    `alter table leases add column ran_ms ${integer} not null default 0`,
    // A keyed hash of a constant: by it a node knows that it has the secret of the others.
    `alter table database_identity add column secret_fingerprint text not null default ''`,
    // See `upgrade/stored-forms.ts`.
    `alter table database_identity add column oldest_program text not null default ''`,
  ]
  return dialect.kind === 'sqlite' ? shared : [...shared, ...nodes(dialect), ...changes(dialect)]
}

function nodes({ integer, real }: SqlDialect): string[] {
  return [
    `create table nodes (
      id text not null primary key,
      version text not null,
      address text not null,
      started_ms ${integer} not null,
      seen_ms ${integer} not null,
      draining ${integer} not null,
      calls_per_second ${real} not null,
      journal_seq ${integer} not null,
      journal_lag ${integer} not null,
      reclaimed ${integer} not null
    )`,
  ]
}

/**
 * A trigger on each table whose rows nodes hold in memory, with the kind of change and the columns of its key. What only
 * notes use (when a session was last seen) announces nothing, and neither does the end of what has expired.
 */
const triggers = [
  `announce_user after insert or update or delete on users
    for each row execute function announce_change('user', 'id')`,
  // A session is announced as its user: nodes drop all sessions of the user that they hold.
  `announce_session_end after delete on sessions
    for each row when (old.expires_at > extract(epoch from now()))
    execute function announce_change('user', 'user_id')`,
  `announce_session after update of user_id, expires_at, proven_at on sessions
    for each row execute function announce_change('user', 'user_id')`,
  `announce_token after insert or update or delete on tokens
    for each row execute function announce_change('token', 'id', 'key_hash')`,
  `announce_channel after insert or update or delete on channels
    for each row execute function announce_change('channel', 'id')`,
  `announce_option after insert or update or delete on options
    for each row execute function announce_change('option', 'key')`,
  `announce_quota_warning after insert or delete on quota_warnings
    for each row execute function announce_change('quota-warning', 'user_id')`,
  // Charges announce nothing: they come from a node's own share.
  `announce_entry after insert on ledger_entries
    for each row execute function announce_change('account', 'account_kind', 'account_id')`,
]

function changes({ newId, integer, nowMs }: SqlDialect): string[] {
  return [
    `create table changes (
      id ${newId},
      kind text not null,
      key text not null,
      author text not null,
      at_ms ${integer} not null
    )`,
    'create index changes_by_time on changes (at_ms)',
    // The name of the connection survives a transaction pooler, as other settings of a session do not.
    `create function announce_change() returns trigger language plpgsql as $$
      declare
        changed jsonb := to_jsonb(coalesce(new, old));
        changed_key text := concat_ws(' ', changed ->> tg_argv[1], changed ->> tg_argv[2]);
        changed_by text := current_setting('application_name');
      begin
        insert into changes (kind, key, author, at_ms) values (tg_argv[0], changed_key, changed_by, ${nowMs});
        perform pg_notify('tollgate_changes',
          json_build_object('kind', tg_argv[0], 'key', changed_key, 'author', changed_by)::text);
        return null;
      end
    $$`,
    ...triggers.map((trigger) => `create trigger ${trigger}`),
  ]
}
