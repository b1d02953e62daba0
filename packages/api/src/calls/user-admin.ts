import { z } from 'zod'
import { adminPartNames } from '../admin-parts.ts'
import { userResource } from '../resources/user.ts'
import { nameOf, roles, userStatuses } from '../roles.ts'
import { rateLimitMax } from '../settings/shapes.ts'
import {
  bulkOutcomes,
  editBase,
  emptyData,
  idParams,
  maxPageSize,
  oneBasedPage,
  pageOf,
  pageSize,
  queryChoice,
  queryInteger,
  queryText,
  quota,
  unixSeconds,
} from '../wire.ts'
import { callsOfWeek, clockOnly } from './data.ts'
import { del, get, post, put } from './define.ts'
import { bindingProviders } from './oauth.ts'
import { fixedFields, identityFields, sessionUser, user } from './user.ts'

/** The largest balance that an administrator may give, in quota units; sums of balances stay exact. */
export const maxBalance = 10 ** 15

function wireNumberOf(table: Readonly<Record<string, number>>) {
  return queryInteger.transform((wire, context) => {
    if (wire !== undefined && nameOf(table, wire) === undefined)
      context.addIssue(`one of ${Object.values(table).join(', ')}`)
    return wire
  })
}

/** A user as administrators see them. */
export const listedUser = user.extend({
  /** Username of the inviter; empty without one. */
  inviter_name: z.string(),
  /**
   * Set in reading one user when the account is near the caller, who then gives it neither quota nor another group: of their invitation
   * chain, or with their mail inbox. Nobody is near root.
   */
  near_caller: z.boolean().optional(),
})
/** A user in a list, with the name of the inviter. */
export type ListedUser = z.output<typeof listedUser>

const listQuery = z.object({
  p: oneBasedPage,
  page_size: pageSize,
  ...userResource.filterQuery,
  /** 1, 10 or 100. */
  role: wireNumberOf(roles),
  /** 1 or 2. */
  status: wireNumberOf(userStatuses),
  /** `true`: deleted users alone; `false`: without them; absent: all. */
  deleted: queryChoice(['true', 'false']),
  /** Figures are compared as stored in the database, which follows calls by a second or two. */
  ...userResource.sortQuery,
})
/** Page and order of the users. */
export type UserListQuery = z.output<typeof listQuery>

/**
 * Part of the username, e-mail address or display name, in whatever case, or the complete id. Nothing in it is a
 * wildcard.
 */
const searchQuery = listQuery.extend({ keyword: queryText })
/** The same with filters. */
export type UserSearchQuery = z.output<typeof searchQuery>

/** Recent calls of a user, and the keys that made them. */
export const userActivity = z.object({
  /** The last 30 days, oldest first; days without a call are left out. */
  days: z.array(z.object({ at: unixSeconds, count: z.number().int(), quota })),
  /** By whose fault calls failed. */
  calls: callsOfWeek,
  keys: z.object({
    total: z.number().int(),
    /** Those used last, at most five. */
    items: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        status: z.number().int(),
        used_quota: quota,
        accessed_time: unixSeconds,
      }),
    ),
  }),
})
export type UserActivity = z.output<typeof userActivity>

const balance = z.number().int().min(-maxBalance).max(maxBalance)

/** The new user is a common one, whatever role is sent. A blank display name is the username. */
export const userCreateBody = userResource.createBody.extend({
  password: z.string().default(''),
  group: z.string().optional(),
  /** The first balance in place of the gift for new users. */
  quota: balance.min(0).optional(),
  ...identityFields.shape,
})
/** A new account, by an administrator. */
export type UserCreateBody = z.output<typeof userCreateBody>

/**
 * Absent fields stay as they are, and so do a blank display name and a blank password. A loaded record may be sent back: figures in
 * it are ignored, and `fixedFields` are refused by name where they differ from what is stored.
 */
export const userUpdateBody = z.object({
  id: z.number().int().positive(),
  ...userResource.updateBody.shape,
  password: z.string().optional(),
  /** The new balance. It undoes what was charged since it was read: send `quota_change` instead. */
  quota: balance.optional(),
  /** Added to the balance, or taken from it; with it `quota` is ignored. */
  quota_change: balance.optional(),
  ...fixedFields.shape,
  /** Reason of a change of the balance, which the user reads in the log. */
  reason: z.string().trim().max(500).optional(),
  base: editBase,
})
/** A user’s id and the fields that change; a balance is set or moved. */
export type UserUpdateBody = z.output<typeof userUpdateBody>

/** Maximum of users in one change of many. */
export const manyUsersMax = 1000

const limitOfMany = z.number().int().min(0).max(rateLimitMax).optional()

/** One change of many users. */
export const manyUsersChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('balance'),
    /** Added to every balance, or below zero taken from it. */
    amount: balance.refine((amount) => amount !== 0, { message: 'not 0' }),
    /** Users who have less lose it all the same, and owe the rest; without it they are left out. */
    below_zero: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('group'), group: z.string().min(1).max(100) }),
  /** Absent limits stay; 0 is no limit. */
  z.object({
    kind: z.literal('limits'),
    requests_per_minute: limitOfMany,
    tokens_per_minute: limitOfMany,
    concurrency: limitOfMany,
  }),
])
/** A change of balance, group or limits. */
export type ManyUsersChange = z.output<typeof manyUsersChange>

/** The users of a change: these, or all that are not deleted and match. Numbers are not read leniently: they decide who is meant. */
const manyUsersBody = z
  .object({
    ids: z.array(z.number().int().positive()).min(1).max(manyUsersMax).optional(),
    filter: z
      .strictObject({
        keyword: z.string().max(500).optional(),
        group: z.string().max(100).optional(),
        /** 1, 10 or 100. */
        role: z.literal(Object.values(roles)).optional(),
        /** 1 or 2. */
        status: z.literal(Object.values(userStatuses)).optional(),
      })
      .optional(),
    change: manyUsersChange,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'ids or filter, one of them',
  })
/** Users and their change. */
export type ManyUsersBody = z.output<typeof manyUsersBody>

/** Reasons for which a change of many leaves a user out. */
export const leftOutReasons = ['gone', 'rank', 'near', 'unchanged', 'below_zero', 'out_of_range'] as const
/** A reason for which a change of many leaves a user out. */
export type LeftOutReason = (typeof leftOutReasons)[number]

/** The fields of a user that a change of many writes: those that it has. */
const manyUsersState = z.object({
  quota: balance.optional(),
  group: z.string().optional(),
  requests_per_minute: z.number().int().optional(),
  tokens_per_minute: z.number().int().optional(),
  concurrency: z.number().int().optional(),
})

/** Effects of a change of many users. */
export const manyUsersPreview = z.object({
  /** Users who change. */
  changed: z.number().int(),
  /** Sum that balances change by. */
  amount: quota,
  /** The first of those who change, at most 50. */
  users: z.array(
    z.object({ id: z.number().int(), username: z.string(), before: manyUsersState, after: manyUsersState }),
  ),
  /** Those who do not, by reason; at most ten names of each. */
  left_out: z.array(
    z.object({ reason: z.enum(leftOutReasons), count: z.number().int(), usernames: z.array(z.string()) }),
  ),
  /** Token of this preview: the change carries it, and is refused where it would change others by then. */
  confirmation: z.string(),
})
/** Effects of a change of many users, with the token that carries it out. */
export type ManyUsersPreview = z.output<typeof manyUsersPreview>

export const userActions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
/** Actions of administrators on users. */
export type UserAction = (typeof userActions)[number]

/** The user after an action, with the fields that actions change. */
export const managedUser = z.object({
  id: z.number().int(),
  role: z.number().int(),
  status: z.number().int(),
  DeletedAt: z.string().nullable(),
})
/** Role and status of a user after an action. */
export type ManagedUser = z.output<typeof managedUser>

/**
 * Actions that need a recent proof: they make an administrator, or let a banned one return. An action that only takes access away needs
 * none.
 */
const forAccess = { forField: 'action', forValues: ['promote', 'demote', 'enable'] } as const

const movesBalance = { part: 'money', effect: 'moves-a-balance' } as const

/** Calls of administrators on users. An administrator acts on lower ranks alone. */
export const userAdmin = {
  list: get('admin', '/api/user/', {
    part: 'users',
    recentProof: 'reads',
    query: listQuery,
    data: pageOf(listedUser),
  }),
  search: get('admin', '/api/user/search', {
    part: 'users',
    recentProof: 'reads',
    query: searchQuery,
    data: pageOf(listedUser),
  }),
  get: get('admin', '/api/user/:id', {
    part: 'users',
    recentProof: 'reads',
    params: idParams,
    data: listedUser,
  }),
  /** Days begin at midnight of the caller's time zone. */
  activity: get('admin', '/api/user/:id/activity', {
    part: 'users',
    recentProof: 'reads',
    params: idParams,
    query: clockOnly,
    data: userActivity,
  }),
  create: post('admin', '/api/user/', {
    part: 'users',
    partForEffect: movesBalance,
    recentProof: 'operates',
    body: userCreateBody,
    data: listedUser,
  }),
  update: put('admin', '/api/user/', {
    part: 'users',
    partForEffect: movesBalance,
    // No proof of a password is needed: root's own is set by this call too.
    recentProof: { forField: 'password' },
    body: userUpdateBody,
    data: listedUser,
  }),
  /** Root alone promotes and demotes; root is never demoted, disabled or deleted. Deleted users stay deleted. */
  manage: post('admin', '/api/user/manage', {
    part: 'users',
    recentProof: forAccess,
    /** The user by id, or by the name that they have now. */
    body: z
      .object({
        id: z.number().int().positive().optional(),
        username: z.string().max(500).optional(),
        action: z.enum(userActions),
      })
      .refine(({ id, username }) => id !== undefined || username, {
        path: ['id'],
        message: 'id or username',
      }),
    data: managedUser,
  }),
  /** The same action on many; returns the number of changed users, and an outcome for each id, named once. */
  manageBatch: post('admin', '/api/user/manage/batch', {
    part: 'users',
    recentProof: forAccess,
    body: z.object({
      ids: z.array(z.number().int().positive()).min(1).max(maxPageSize),
      action: z.enum(userActions),
    }),
    data: z.number().int(),
    extra: bulkOutcomes,
  }),
  /** Says whom a change of many would change, and changes nobody. */
  previewMany: post('admin', '/api/user/many/preview', {
    part: 'users',
    partForEffect: movesBalance,
    recentProof: 'reads',
    body: manyUsersBody,
    data: manyUsersPreview,
  }),
  /** Changes all of them as the preview said, in one step with one record, or nobody. Returns their number. */
  changeMany: put('admin', '/api/user/many', {
    part: 'users',
    partForEffect: movesBalance,
    recentProof: 'operates',
    body: manyUsersBody.safeExtend({
      /** The users read it in their log, where a balance changes. */
      reason: z.string().trim().max(500).optional(),
      confirmation: z.string().max(64),
    }),
    data: z.number().int(),
  }),
  /** Gives an administrator these parts, and no others. */
  setParts: put('root', '/api/user/:id/parts', {
    recentProof: true,
    params: idParams,
    body: z.object({ parts: z.array(z.enum(adminPartNames)).max(adminPartNames.length) }),
    data: listedUser,
  }),
  /** Makes an administrator the root administrator in the caller's place, who becomes an administrator with every part. */
  passRoot: post('root', '/api/user/:id/root', { recentProof: true, params: idParams, data: managedUser }),
  /**
   * Opens the console as a user of lower rank sees it: for half an hour, calls of this session whose user header names that user read what
   * the user would read, without secrets, and change nothing. The audit log and the user's security events have it.
   */
  view: post('admin', '/api/user/:id/view', {
    part: 'users',
    recentProof: true,
    sessionOnly: true,
    params: idParams,
    data: z.object({ user: sessionUser, ends_at: unixSeconds }),
  }),
  endView: post('admin', '/api/user/:id/view/end', {
    part: 'users',
    recentProof: 'withdraws',
    sessionOnly: true,
    params: idParams,
    data: emptyData,
  }),
  /** Everything that is stored about a user, and about accounts that are one with theirs, as one JSON file without secrets. */
  export: get('admin', '/api/user/:id/export', {
    part: 'users',
    // The audit log records who took it along.
    recentProof: 'operates',
    params: idParams,
    response: 'stream',
  }),
  /** Makes the account `from` one with this one: keys, orders, identities and the balance follow, and `from` is closed. */
  merge: post('root', '/api/user/:id/merge', {
    recentProof: true,
    params: idParams,
    body: z.object({ from: z.number().int().positive() }),
    data: listedUser,
  }),
  /** Names the accounts whose identity is not among those that the provider says are open. */
  closedIdentities: post('admin', '/api/user/closed_identities', {
    part: 'users',
    recentProof: 'reads',
    body: z.object({
      provider: z.enum(bindingProviders),
      /** The subjects that the provider lists; of `email` the addresses. */
      open: z.array(z.string().max(320)).max(100_000),
    }),
    data: z.array(
      z.object({
        id: z.number().int(),
        username: z.string(),
        identity: z.string(),
        /** Number of their keys that work. */
        keys: z.number().int(),
      }),
    ),
  }),
  /** Deletes for good in every list; the record, its keys and logs stay in the database until the account is erased. */
  delete: del('admin', '/api/user/:id', {
    part: 'users',
    recentProof: 'withdraws',
    params: idParams,
    data: emptyData,
  }),
}
