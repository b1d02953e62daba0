import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds the program that upgraded the schema last; and on PostgreSQL, rules for programs of two versions that write the same account.
 */
export function upgrades({ kind }: SqlDialect): string[] {
  return [
    `alter table database_identity add column program_version text not null default ''`,
    `alter table database_identity add column program_commit text not null default ''`,
    ...(kind === 'postgres' ? besideFormerPrograms : []),
  ]
}

/** Columns of a user that open the account, beside those by which a log-in in flight is known anyway. */
const opening = ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']

function changed(columns: readonly string[]): string {
  const row = (name: 'old' | 'new') => `(${columns.map((column) => `${name}.${column}`).join(', ')})`
  return `${row('old')} is distinct from ${row('new')}`
}

/**
 * Programs from before \`access_tokens\` have one token of a user, in a column of \`users\`; those from before
 * \`credentials_version\` revoke without raising it. While such a program may run, the column and the table's token without a name
 * are one, whichever program writes which; and an account that a former program changed has what it opens revoked as this one
 * would. Programs that raise the version themselves have done the rest, too.
 */
const besideFormerPrograms = [
  `create function former_programs_run() returns boolean language sql stable as $$
    select exists (select 1 from database_identity where oldest_program = '0003-fleet')
  $$`,
  `create function take_former_access_token() returns trigger language plpgsql as $$
    begin
      if former_programs_run() then
        delete from access_tokens where hash = old.access_token_hash and old.access_token_hash <> '';
        if new.access_token_hash <> '' then
          insert into access_tokens (user_id, name, scope, hash, created_at, expires_at, last_used_at)
            values (new.id, '', 'full', new.access_token_hash, extract(epoch from now())::bigint, 0, 0)
            on conflict (hash) do nothing;
        end if;
      end if;
      return null;
    end
  $$`,
  `create trigger take_former_access_token after update of access_token_hash on users
    for each row when (old.access_token_hash is distinct from new.access_token_hash)
    execute function take_former_access_token()`,
  `create function tell_former_access_token() returns trigger language plpgsql as $$
    begin
      if former_programs_run() then
        if tg_op = 'DELETE' then
          update users set access_token_hash = '' where id = old.user_id and access_token_hash = old.hash;
        elsif new.name = '' and new.scope = 'full' and new.expires_at = 0 then
          update users set access_token_hash = new.hash where id = new.user_id and access_token_hash <> new.hash;
        end if;
      end if;
      return null;
    end
  $$`,
  `create trigger tell_former_access_token after insert or delete on access_tokens
    for each row execute function tell_former_access_token()`,
  `create function raise_for_former_program() returns trigger language plpgsql as $$
    begin
      new.credentials_version := old.credentials_version + 1;
      return new;
    end
  $$`,
  `create trigger raise_for_former_program before update of ${opening.join(', ')} on users
    for each row when (old.credentials_version = new.credentials_version and ${changed(opening)})
    execute function raise_for_former_program()`,
  `create function revoke_for_former_program() returns trigger language plpgsql as $$
    begin
      if former_programs_run() and coalesce(current_setting('tollgate.same_password', true), '') <> 'true' then
        delete from access_tokens where user_id = new.id and hash <> new.access_token_hash;
      end if;
      return null;
    end
  $$`,
  `create trigger revoke_for_former_program after update of password_hash, status, deleted_at on users
    for each row when (${changed(['password_hash', 'status', 'deleted_at'])}
      and (old.password_hash is distinct from new.password_hash or new.status <> 1 or new.deleted_at is not null))
    execute function revoke_for_former_program()`,
  // A former program leaves the column as a later one of the same node wrote it; a later one writes it with its next heartbeat.
  `create function forget_key_ids() returns trigger language plpgsql as $$
    begin
      new.key_ids := '';
      return new;
    end
  $$`,
  `create trigger forget_key_ids before update on nodes
    for each row when (old.started_ms <> new.started_ms) execute function forget_key_ids()`,
]
