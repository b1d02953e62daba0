import { z } from 'zod'
import { adminPartNames } from '../admin-parts.ts'
import { userResource } from '../resources/user.ts'
import { emptyData, humanCheckToken, queryText, quota, unixSeconds } from '../wire.ts'
import { get, post } from './define.ts'
import { token } from './token.ts'

/** The fields of the user that a browser stores after login. */
export const sessionUser = userResource.wire
  .pick({ id: true, username: true, display_name: true, role: true, status: true, group: true })
  .extend({
    /** Parts of an administrator: all for root; absent for common users. */
    admin_parts: z.array(z.enum(adminPartNames)).optional(),
  })
export type SessionUser = z.output<typeof sessionUser>

/** The response to a login: the user, or that the second factor is required. */
export const loginData = z.union([sessionUser, z.object({ require_2fa: z.literal(true) })])
export type LoginData = z.output<typeof loginData>

/** The full user on the wire. Secrets (password, access token, webhook secret) are never in it. */
export const user = userResource.wire.extend({
  ...sessionUser.shape,
  password: z.literal(''),
  DeletedAt: z.string().nullable(),
})
/** A user on the wire. */
export type User = z.output<typeof user>

/**
 * Fields of a loaded record that no edit changes, in a body: edits refuse them by name where they differ from what is stored. Only the owner
 * of an account binds addresses and providers, each with a proof. Null is as good as absent.
 */
export const fixedFields = z
  .object({
    email: z.string().nullable(),
    github_id: z.string().nullable(),
    oidc_id: z.string().nullable(),
    wechat_id: z.string().nullable(),
    telegram_id: z.string().nullable(),
    linux_do_id: z.string().nullable(),
    role: z.number().nullable(),
    status: z.number().nullable(),
    aff_code: z.string().nullable(),
    inviter_id: z.number().nullable(),
  })
  .partial()
export type FixedFields = z.output<typeof fixedFields>

/** Those of them that name an account elsewhere. */
export const identityFields = fixedFields.pick({
  email: true,
  github_id: true,
  oidc_id: true,
  wechat_id: true,
  telegram_id: true,
  linux_do_id: true,
})

/** A key in a list of problems: never with the key itself. */
const keyBrief = token.pick({
  id: true,
  status: true,
  name: true,
  accessed_time: true,
  expired_time: true,
  remain_quota: true,
  unlimited_quota: true,
  used_quota: true,
})
export type KeyBrief = z.output<typeof keyBrief>

/** Finding of a start in the journal of a node: calls that are lost, or a file that it set aside. */
const journalFinding = z.object({
  id: z.string(),
  node: z.string(),
  kind: z.enum(['torn', 'damage', 'foreign-node', 'foreign-database']),
  /** Names of the files that are kept aside. */
  files: z.string(),
  /** Bounds of how many settled calls are lost. */
  at_least: z.number().int(),
  at_most: z.number().int(),
  found_at: unixSeconds,
})
export type JournalFindingRow = z.output<typeof journalFinding>

/** Problem that an operator has to attend to; `/readyz` names it too. */
const healthProblem = z.object({
  code: z.enum(['database-damaged', 'journal-waits', 'journal-grows']),
  database: z.enum(['sqlite', 'postgres']),
  /** Settled calls that the database lacks. */
  waiting: z.number().int(),
})
export type HealthProblemRow = z.output<typeof healthProblem>
/** A stored completion ratio that the version before ignored: charged was the ratio of the model's family. */
export const upgradePrice = z.object({ model: z.string(), charged: z.number(), stored: z.number() })
export type UpgradePrice = z.output<typeof upgradePrice>

/** Upgrade of a database by a start, from an older version. */
const upgradeRow = z.object({
  /** Id of its record in the audit log. */
  id: z.number().int(),
  at: unixSeconds,
  /** Former version, commit and schema of the database; unknown texts are empty. */
  from: z.object({ version: z.string(), commit: z.string(), schema: z.string() }),
  migrations: z.array(z.string()),
  /** The file with what was there before, on the disk of the gateway; empty without one. */
  copy: z.string(),
  /** Prices that changed with it. */
  prices: z.array(upgradePrice),
})
export type UpgradeRow = z.output<typeof upgradeRow>

const ownRefusals = z.object({
  count: z.number().int(),
  /** Of the last of them. */
  last_at: unixSeconds,
  /** What the last of them may have cost, in quota; 0 where its row does not say. */
  needed: quota,
})
export type OwnRefusals = z.output<typeof ownRefusals>

/**
 * The dashboard's facts about one's own account. Lists of keys hold the first eight, `least_left` covers the first
 * hundred.
 */
export const ownOverview = user.pick({ quota: true, request_count: true }).extend({
  /**
   * Private address that forwards requests without being named in `TRUSTED_PROXIES`, for the super administrator. Empty when there is
   * none, and for all other users.
   */
  untrusted_proxy: z.string(),
  /** Findings of the last 30 days, for the super administrator. */
  journal: z.array(journalFinding),
  /** Current problems of the database and of this node's journal, for the super administrator. */
  health: z.array(healthProblem),
  /** Upgrades of the last seven days, for the super administrator. */
  upgrades: z.array(upgradeRow),
  /** Size of one SQLite file, once everything is better moved to PostgreSQL, for the super administrator. */
  outgrown: z.object({ log_rows: z.number().int(), bytes: z.number().int() }).nullable(),
  /**
   * Own calls that were refused in the last 24 hours for a balance that still does not cover them; `null` without any, absent from
   * nodes of the version before.
   */
  refused: ownRefusals.nullable().optional(),
  keys: z.object({
    total: z.number().int(),
    /** Keys that an administrator or a leak has frozen, the last used first; absent from nodes of the version before. */
    frozen: z.array(keyBrief).optional(),
    /** Spent keys that are not frozen, the last used first. */
    exhausted: z.array(keyBrief),
    expired: z.array(keyBrief),
    /** How many more keys are frozen, spent or expired; absent from nodes of the version before. */
    more_frozen: z.number().int().optional(),
    more_exhausted: z.number().int().optional(),
    more_expired: z.number().int().optional(),
    /** Working keys, the next to expire first. */
    ends_first: z.array(keyBrief),
    /** Working keys, those with the least budget first; a key without one may be among them. */
    least_left: z.array(keyBrief),
  }),
})
export type OwnOverview = z.output<typeof ownOverview>

export const loginBody = z.object({
  username: z.string().default(''),
  password: z.string().default(''),
})

/** Groups the caller may use, with their price ratio. */
export const userGroups = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }))
/** The groups that a user may call in, each with ratio and description. */
export type UserGroups = z.output<typeof userGroups>

export const users = {
  login: post('public', '/api/user/login', {
    recentProof: 'proves',
    critical: true,
    query: z.object({ turnstile: humanCheckToken }),
    body: loginBody,
    data: loginData,
  }),
  logout: get('public', '/api/user/logout', { recentProof: 'withdraws', data: emptyData }),
  self: get('user', '/api/user/self', { recentProof: 'reads', data: user }),
  /** One call, because a dashboard polls it. */
  overview: get('user', '/api/user/self/overview', { recentProof: 'reads', data: ownOverview }),
  /** Names of models the caller can reach through the groups open to them; those that chat and have a price first. */
  models: get('user', '/api/user/models', { recentProof: 'reads', data: z.array(z.string()) }),
  /** The same, or those of one group that is open to the caller. */
  modelsOfGroup: get('user', '/api/user/self/models', {
    recentProof: 'reads',
    query: z.object({ group: queryText }),
    data: z.array(z.string()),
  }),
  groups: get('user', '/api/user/self/groups', { recentProof: 'reads', data: userGroups }),
  /** Groups that are open to everyone, as a visitor sees them. */
  publicGroups: get('public', '/api/user/groups', { recentProof: 'reads', data: userGroups }),
}
