import { z } from 'zod'
import { rateLimitFields } from '../rate-limits.ts'
import { emptyData, humanCheckToken, quota } from '../wire.ts'
import { get, post } from './define.ts'
import { token } from './token.ts'

/** What a browser keeps about the person after login. */
export const sessionUser = z.object({
  id: z.number().int(),
  username: z.string(),
  display_name: z.string(),
  role: z.number().int(),
  status: z.number().int(),
  group: z.string(),
})
/** The logged-in user, as the console keeps it. */
export type SessionUser = z.output<typeof sessionUser>

/** A login: the user, or, when a second factor is asked for, that it is. */
export const loginData = z.union([sessionUser, z.object({ require_2fa: z.literal(true) })])
/** The response to a log-in: the user, or the second step that is missing. */
export type LoginData = z.output<typeof loginData>

/** The full user on the wire. Secrets (password, access token, webhook secret) are never in it. */
export const user = sessionUser.extend({
  password: z.literal(''),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  quota,
  used_quota: quota,
  request_count: z.number().int(),
  aff_code: z.string(),
  aff_count: z.number().int(),
  aff_quota: quota,
  aff_history_quota: quota,
  inviter_id: z.number().int(),
  ...rateLimitFields,
  /** JSON text; empty when never saved. */
  setting: z.string(),
  DeletedAt: z.string().nullable(),
})
/** A user's own account, as the personal page shows it. */
export type User = z.output<typeof user>

/** What a list of problems says of a key: never the key itself. */
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

/** What a dashboard says of one's own account. Lists of keys hold the first eight, of `least_left` the first hundred. */
export const ownOverview = user.pick({ quota: true, request_count: true }).extend({
  /**
   * To the super administrator: the private address that forwards requests without being named in `TRUSTED_PROXIES`. Empty when
   * there is none, and to everybody else.
   */
  untrusted_proxy: z.string(),
  keys: z.object({
    total: z.number().int(),
    /** Spent keys, those used last first. */
    exhausted: z.array(keyBrief),
    expired: z.array(keyBrief),
    /** Keys that work, those that expire first before the others. */
    ends_first: z.array(keyBrief),
    /** Keys that work, those with the least budget first; a key without one may stand among them. */
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
export type UserGroups = z.output<typeof userGroups>

export const users = {
  login: post('public', '/api/user/login', {
    critical: true,
    query: z.object({ turnstile: humanCheckToken }),
    body: loginBody,
    data: loginData,
  }),
  logout: get('public', '/api/user/logout', { changes: true, data: emptyData }),
  self: get('user', '/api/user/self', { data: user }),
  /** In one call, because a dashboard asks for it again and again. */
  overview: get('user', '/api/user/self/overview', { data: ownOverview }),
  /** Names of models the caller can reach through the groups open to them. */
  models: get('user', '/api/user/models', { data: z.array(z.string()) }),
  groups: get('user', '/api/user/self/groups', { data: userGroups }),
  /** Groups that anybody may use, as a visitor sees them. */
  publicGroups: get('public', '/api/user/groups', { data: userGroups }),
}
