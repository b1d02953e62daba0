import { channelRecord, snakeCase, taskRecord, topUpOrderRecord, userRecord } from '@tollgate/api'
import type { z } from 'zod'
import { columnsOf } from '../../schema/resource-columns.ts'

/** Reasons for which a text column is of no person. */
export type ImpersonalReason =
  /** A word of the program: a kind, a state, a scope. */
  | 'word'
  /** A name or a text that operators give: channels, groups, models, codes, options. */
  | 'operator'
  /** A number of ours, or a payment provider's, by which books are matched. */
  | 'number'
  /** A sealed secret of the operator. */
  | 'sealed'
  /** A keyed hash, which names nobody to whom the person is not known already. */
  | 'hash'
  /** Texts of nodes, journals, migrations and the database itself. */
  | 'machine'

/** Treatment of a personal column: SQL of its text after an erasure. A secret is in no export. */
export interface PersonalColumn {
  readonly after: string
  readonly isSecret?: true
}

/** Rows that are about a person, and their columns that say who it is. */
export interface PersonalRows {
  /** SQL condition; `:user` stands for the id. */
  readonly rows: string
  /** `all`: the rows are deleted; else what the columns say then. */
  readonly erase: 'all' | Readonly<Record<string, PersonalColumn>>
  /** Columns of deleted rows that no export has. */
  readonly secrets?: readonly string[]
}

export interface TableOfPeople {
  readonly about: readonly PersonalRows[]
  /** Every other text column, with the reason why it is of no person. */
  readonly impersonal: Readonly<Record<string, ImpersonalReason>>
}

/** The text columns of a declared record, with one reason or fate for all. */
function textsOf<Fate>(record: z.ZodObject, fate: Fate): Readonly<Record<string, Fate>> {
  const texts = Object.entries(columnsOf(record)).filter(([, { type }]) => type === 'text')
  return Object.fromEntries(texts.map(([field]) => [snakeCase(field), fate]))
}

/** Fields of a task that say nothing of a person; any other text of it is erased. */
const wordsOfTask = { platform: true, action: true, status: true, upstreamId: true } as const

const empty: PersonalColumn = { after: `''` }
const secret: PersonalColumn = { after: `''`, isSecret: true }
/** Name of an account afterwards, and of texts that others wrote about it. */
const numbered = (id: string): PersonalColumn => ({ after: `'deleted-' || ${id}` })
/** An id at another gateway may be an address. */
const importedIdentity = { source_id: { after: `'erased-' || target_id` }, mark: secret }
const ofUser = 'user_id = :user'
const keysOfUser = '(select id from tokens where user_id = :user)'

/**
 * Every table with text columns: whose rows are about a person, and what becomes of them when the person is erased. A test compares
 * it with the schema, so that a new text column is personal or says why it is not.
 */
export const personalTables: Readonly<Record<string, TableOfPeople>> = {
  users: {
    about: [
      {
        rows: 'id = :user',
        erase: {
          ...textsOf(userRecord.omit({ group: true }), empty),
          // Somebody may have that name; no account is opened with a blank at the end.
          username: {
            after: `case when exists (select 1 from users as taken where taken.username = 'deleted-' || users.id)
            then 'deleted-' || id || ' ' else 'deleted-' || id end`,
          },
          search_text: numbered('id'),
          password_hash: secret,
          access_token_hash: secret,
          oidc_issuer: empty,
          setting: secret,
        },
      },
    ],
    impersonal: { group: 'operator', admin_parts: 'word' },
  },
  tokens: {
    about: [
      {
        rows: ofUser,
        erase: {
          name: empty,
          key_hash: { after: `'erased-' || id`, isSecret: true },
          key_sealed: secret,
          key_head: empty,
          key_tail: empty,
          allow_ips: empty,
          freeze_note: empty,
        },
      },
    ],
    impersonal: { model_limits: 'operator', group: 'operator', freeze_cause: 'word' },
  },
  former_keys: {
    about: [{ rows: `token_id in ${keysOfUser}`, erase: 'all', secrets: ['key_hash'] }],
    impersonal: {},
  },
  console_views: {
    about: [{ rows: 'user_id = :user or viewer_id = :user', erase: 'all', secrets: ['session_hash'] }],
    impersonal: {},
  },
  token_addresses: { about: [{ rows: `token_id in ${keysOfUser}`, erase: 'all' }], impersonal: {} },
  // Figures alone: an export has them, and books need them.
  user_accounts: { about: [{ rows: 'id = :user', erase: {} }], impersonal: {} },
  token_accounts: { about: [{ rows: `id in ${keysOfUser}`, erase: {} }], impersonal: {} },
  access_tokens: { about: [{ rows: ofUser, erase: 'all', secrets: ['hash'] }], impersonal: {} },
  passkeys: {
    about: [{ rows: ofUser, erase: 'all', secrets: ['credential_id', 'public_key'] }],
    impersonal: {},
  },
  second_factors: { about: [{ rows: ofUser, erase: 'all', secrets: ['secret_sealed'] }], impersonal: {} },
  recovery_codes: { about: [{ rows: ofUser, erase: 'all', secrets: ['code_hash'] }], impersonal: {} },
  sessions: { about: [{ rows: ofUser, erase: 'all', secrets: ['id_hash'] }], impersonal: {} },
  one_time_secrets: {
    about: [{ rows: ofUser, erase: 'all', secrets: ['secret_hash', 'data'] }],
    impersonal: {},
  },
  security_events: {
    about: [
      {
        rows: ofUser,
        erase: { username: numbered('user_id'), detail: empty, address: empty, user_agent: empty },
      },
    ],
    impersonal: { kind: 'word' },
  },
  audit_log: {
    about: [
      { rows: 'actor_id = :user', erase: { actor_name: numbered('actor_id'), address: empty } },
      {
        rows: `target_kind = 'user' and target_id = :user`,
        erase: { target_name: numbered('target_id'), before: empty, after: empty },
      },
      {
        rows: `target_kind = 'token' and target_id in ${keysOfUser}`,
        erase: { target_name: empty, before: empty, after: empty },
      },
      // The filters of an export name the user whose rows were taken along.
      {
        rows: `action like 'log.export%' and before || after like '%"' || (select username from users where id = :user) || '"%'`,
        erase: { before: empty, after: empty },
      },
    ],
    impersonal: { action: 'word', target_kind: 'word' },
  },
  ledger_entries: {
    about: [
      // Notes of administrators have their name; of others they are numbers by which books are matched.
      {
        rows: `actor_id = :user and cause = 'admin-change'`,
        erase: { note: { after: `'by user ' || actor_id` } },
      },
      { rows: `account_kind = 'user' and account_id = :user`, erase: {} },
      { rows: `account_kind = 'token' and account_id in ${keysOfUser}`, erase: {} },
    ],
    impersonal: { account_kind: 'word', cause: 'word' },
  },
  tasks: {
    about: [
      {
        rows: ofUser,
        erase: {
          ...textsOf(taskRecord.omit(wordsOfTask), empty),
          result: empty,
          properties: empty,
          charge: empty,
        },
      },
    ],
    impersonal: {
      platform: 'word',
      action: 'word',
      status: 'word',
      group: 'operator',
      model: 'operator',
      upstream_model: 'operator',
      upstream_id: 'number',
      reference: 'number',
      hold_id: 'number',
      key_hash: 'hash',
    },
  },
  stored_responses: { about: [{ rows: ofUser, erase: 'all', secrets: ['sealed'] }], impersonal: {} },
  stored_response_items: { about: [{ rows: ofUser, erase: 'all' }], impersonal: {} },
  failed_calls: { about: [{ rows: ofUser, erase: 'all', secrets: ['sealed'] }], impersonal: {} },
  imported_rows: {
    about: [
      { rows: `kind = 'user' and target_id = :user`, erase: importedIdentity },
      { rows: `kind = 'token' and target_id in ${keysOfUser}`, erase: importedIdentity },
    ],
    impersonal: { source: 'operator', kind: 'word' },
  },
  top_up_orders: {
    about: [{ rows: ofUser, erase: { settled_reason: empty } }],
    impersonal: {
      ...textsOf(topUpOrderRecord, 'word'),
      trade_no: 'number',
      provider_trade_no: 'number',
      payment_id: 'number',
      settled_reference: 'number',
    },
  },
  redemptions: {
    about: [{ rows: 'used_user_id = :user', erase: {} }],
    impersonal: { name: 'operator', key_hash: 'hash', key_sealed: 'sealed' },
  },
  // Rewritten row by row, with the index: `rewrite-log.ts`.
  logs: {
    about: [{ rows: ofUser, erase: {} }],
    impersonal: { model: 'operator', group: 'operator', request_id: 'number' },
  },
  log_terms: { about: [], impersonal: {} },
  holds: { about: [], impersonal: { id: 'number', account_kind: 'word' } },
  usage_hourly: { about: [{ rows: ofUser, erase: {} }], impersonal: { model: 'operator' } },
  usage_quarters: { about: [{ rows: ofUser, erase: {} }], impersonal: { model: 'operator' } },
  usage_by_model_quarters: { about: [], impersonal: { model: 'operator' } },
  charge_quarters: { about: [], impersonal: { account_kind: 'word' } },
  attempt_quarters: { about: [], impersonal: { kind: 'word', model: 'operator', outcome: 'word' } },
  imported_usage: { about: [{ rows: ofUser, erase: {} }], impersonal: { model: 'operator' } },
  usage_by_model: { about: [], impersonal: { model: 'operator' } },
  ledger_charges: { about: [], impersonal: { account_kind: 'word' } },
  unlogged_charges: { about: [], impersonal: { account_kind: 'word' } },
  cleared_charges: { about: [], impersonal: { account_kind: 'word' } },
  balance_shares: { about: [], impersonal: { account_kind: 'word', node: 'machine' } },
  known_identities: { about: [], impersonal: { hash: 'hash' } },
  channels: {
    about: [],
    impersonal: {
      ...textsOf(channelRecord, 'operator'),
      keys_sealed: 'sealed',
      key_states: 'operator',
      status_reason: 'operator',
      test_failure: 'operator',
    },
  },
  channel_outcomes: { about: [], impersonal: { failure_code: 'word', failure_params: 'operator' } },
  options: { about: [], impersonal: { key: 'word', value: 'operator' } },
  setups: { about: [], impersonal: { version: 'machine' } },
  leases: { about: [], impersonal: { name: 'machine', holder: 'machine' } },
  usage_exports: { about: [], impersonal: { destination: 'operator' } },
  attempt_counts: { about: [], impersonal: { kind: 'word', model: 'operator', outcome: 'word' } },
  journal_positions: { about: [], impersonal: { node: 'machine' } },
  journal_spans: { about: [], impersonal: { run: 'machine', node: 'machine' } },
  corrections: {
    about: [
      { rows: 'actor_id = :user', erase: { actor_name: numbered('actor_id') } },
      { rows: 'taken_back_id = :user', erase: { taken_back_by: numbered('taken_back_id') } },
    ],
    impersonal: { reason: 'operator', selection: 'operator', state: 'word', taken_back_reason: 'operator' },
  },
  spend_sums: { about: [], impersonal: { span: 'word', models: 'operator', corrections: 'machine' } },
  charge_links: { about: [{ rows: ofUser, erase: 'all' }], impersonal: {} },
  incidents: {
    about: [{ rows: 'accepted_id = :user', erase: { accepted_by: numbered('accepted_id') } }],
    // Members and the concerned are ids.
    impersonal: {
      kind: 'word',
      subject: 'operator',
      name: 'operator',
      members: 'number',
      detail: 'operator',
      concerned: 'number',
      accepted_note: 'operator',
      accepted_members: 'number',
    },
  },
  public_incidents: {
    about: [],
    impersonal: { title: 'operator', models: 'operator', updates: 'operator' },
  },
  correction_sums: { about: [{ rows: ofUser, erase: {} }], impersonal: { model: 'operator' } },
  journal_findings: {
    about: [],
    impersonal: { id: 'machine', node: 'machine', kind: 'word', files: 'machine' },
  },
  database_identity: {
    about: [],
    impersonal: {
      id: 'machine',
      secret_fingerprint: 'hash',
      oldest_program: 'machine',
      program_version: 'machine',
      program_commit: 'machine',
      hash_key_sealed: 'sealed',
      resealed_key: 'machine',
    },
  },
  nodes: {
    about: [],
    impersonal: {
      id: 'machine',
      version: 'machine',
      address: 'machine',
      key_ids: 'machine',
      draining_calls: 'machine',
    },
  },
  channel_key_switches: { about: [], impersonal: { key_id: 'hash' } },
  changes: { about: [], impersonal: { kind: 'word', key: 'number', author: 'machine' } },
  moves: { about: [], impersonal: { place: 'machine' } },
  limit_windows: { about: [], impersonal: { key: 'number' } },
  limit_slots: { about: [], impersonal: { key: 'number', node: 'machine' } },
  kysely_migration: { about: [], impersonal: { name: 'machine', timestamp: 'machine' } },
  kysely_migration_lock: { about: [], impersonal: { id: 'machine' } },
}

/** Text columns of the usage log and of its index that `rewrite-log.ts` empties. */
export const rewrittenColumns: Readonly<Record<string, readonly string[]>> = {
  logs: ['username', 'token_name', 'content', 'other'],
  log_terms: ['text'],
}
