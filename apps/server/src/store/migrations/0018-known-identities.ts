import type { SqlDialect } from '../dialects/sql-dialect.ts'

const value = (key: string) => `nullif((select value from options where key = '${key}'), '')`
const identities = ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']

/**
 * Identities that outlive accounts and bindings, issuers of OIDC subjects, and shares of inviters that are held.
 * A subject that is there already belongs to the provider of these days, by the address that its people were asked at:
 * nobody knows its issuer here.
 */
export function knownIdentities({ integer, keyedTableEnd, tableEnd }: SqlDialect): string[] {
  return [
    `create table known_identities (
      hash text not null,
      created_at ${integer} not null,
      primary key (hash)
    ) ${keyedTableEnd}`,
    `create table unnoted_users (user_id ${integer} not null primary key) ${tableEnd}`,
    `insert into unnoted_users (user_id)
      select id from users where ${identities.map((column) => `${column} <> ''`).join(' or ')}`,
    `alter table users add column oidc_issuer text not null default ''`,
    `update users set oidc_issuer = coalesce(${value('oidc.well_known')}, ${value('oidc.user_info_endpoint')}, '')
      where oidc_id <> ''`,
    'drop index users_by_oidc_id',
    `create unique index users_by_oidc_id on users (oidc_id, oidc_issuer) where oidc_id <> ''`,
    `create table held_invitation_shares (
      invitee_id ${integer} not null primary key,
      inviter_id ${integer} not null,
      quota ${integer} not null,
      created_at ${integer} not null
    ) ${tableEnd}`,
  ]
}
