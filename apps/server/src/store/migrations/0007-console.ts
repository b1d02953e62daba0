import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** Secrets that are used once, the log of administrative acts, and what is one person's alone. */
export function consoleTables({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table one_time_secrets (
      purpose text not null,
      subject text not null,
      secret_hash text not null,
      data text not null,
      attempts ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (purpose, subject)
    ) ${tableEnd}`,
    'create index one_time_secrets_by_end on one_time_secrets (expires_at)',
    `create table audit_log (
      id ${newId},
      created_at ${integer} not null,
      actor_id ${integer} not null,
      actor_name text not null,
      actor_role ${integer} not null,
      address text not null,
      action text not null,
      target_kind text not null,
      target_id ${integer} not null,
      target_name text not null,
      before text not null,
      after text not null
    ) ${tableEnd}`,
    'create index audit_log_by_actor on audit_log (actor_id, id)',
    'create index audit_log_by_action on audit_log (action, id)',
    'create index audit_log_by_target on audit_log (target_kind, target_id, id)',
    'create index audit_log_by_time on audit_log (created_at)',
    'drop index users_by_email',
    `create unique index users_by_email on users (lower(email)) where email <> ''`,
    ...['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'aff_code'].map(
      (column) => `create unique index users_by_${column} on users (${column}) where ${column} <> ''`,
    ),
    'create index users_by_inviter on users (inviter_id) where inviter_id <> 0',
  ]
}
