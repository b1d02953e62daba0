import { z } from 'zod'
import { rateLimitFields } from '../rate-limits.ts'
import { nameOf, roles, userStatuses } from '../roles.ts'
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
import { attemptsOfWeek, offsetOnly } from './data.ts'
import { del, get, post, put } from './define.ts'
import { user } from './user.ts'

/** The largest balance that an administrator may give, in quota units; sums of balances stay exact. */
export const maxBalance = 10 ** 15

function wireNumberOf<Name extends string>(table: Readonly<Record<Name, number>>) {
  return queryInteger.transform((wire, context) => {
    if (wire === undefined) return undefined
    const name = nameOf(table, wire)
    if (name === undefined) context.addIssue(`one of ${Object.values(table).join(', ')}`)
    return name
  })
}

/** A user as administrators see them. */
export const listedUser = user.extend({
  /** Username of the inviter; empty without one. */
  inviter_name: z.string(),
  /**
   * Of one user alone: whether the account is near the caller, who then gives it neither quota nor another group: of their invitation
   * chain, or with their mail inbox. Nobody is near root.
   */
  near_caller: z.boolean().optional(),
})
/** A user in a list, with the name of the inviter. */
export type ListedUser = z.output<typeof listedUser>

const listQuery = z.object({
  p: oneBasedPage,
  page_size: pageSize,
  /** 1, 10 or 100. */
  role: wireNumberOf(roles),
  /** 1 or 2. */
  status: wireNumberOf(userStatuses),
  group: queryText,
  /** `true`: deleted users alone; `false`: without them; absent: all. */
  deleted: queryChoice(['true', 'false']),
  /** Figures are compared as stored in the database, which follows calls by a second or two. */
  sort: queryChoice(['id', 'username', 'quota', 'used_quota', 'request_count']).transform(
    (sort) => sort ?? 'id',
  ),
  order: queryChoice(['asc', 'desc']).transform((order) => order ?? 'desc'),
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

/** What a user did lately, and with which keys. */
export const userActivity = z.object({
  /** The last 30 days, oldest first; days without a call are left out. */
  days: z.array(z.object({ at: unixSeconds, count: z.number().int(), quota })),
  /** By whose fault attempts failed. */
  attempts: attemptsOfWeek,
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

/** The new user is a common one, whatever role is sent. */
export const userCreateBody = z.object({
  username: z.string().default(''),
  /** The username when blank. */
  display_name: z.string().default(''),
  password: z.string().default(''),
  group: z.string().optional(),
  /** The first balance in place of the gift for new users. */
  quota: balance.min(0).optional(),
})
/** A new account, by an administrator. */
export type UserCreateBody = z.output<typeof userCreateBody>

/**
 * Absent fields stay as they are, and so do a blank display name and a blank password. Role, status and all other
 * fields of a loaded record are ignored.
 */
export const userUpdateBody = z.object({
  id: z.number().int().positive(),
  username: z.string().optional(),
  display_name: z.string().optional(),
  password: z.string().optional(),
  group: z.string().optional(),
  /** The new balance. It undoes what was charged since it was read: send `quota_change` instead. */
  quota: balance.optional(),
  /** Added to the balance, or taken from it; with it `quota` is ignored. */
  quota_change: balance.optional(),
  /** Why the balance changes: the user reads it in the log. */
  reason: z.string().trim().max(500).optional(),
  ...z.object(rateLimitFields).partial().shape,
  base: editBase,
})
/** A user’s id and the fields that change; a balance is set or moved. */
export type UserUpdateBody = z.output<typeof userUpdateBody>

export const userActions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
/** What administrators do to users. */
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

/** Who is an administrator, and a banned one may come back: what only takes access away needs no proof. */
const forAccess = { forField: 'action', forValues: ['promote', 'demote', 'enable'] } as const

/** Calls of administrators on users. An administrator acts on lower ranks alone. */
export const userAdmin = {
  list: get('admin', '/api/user/', { recentProof: 'reads', query: listQuery, data: pageOf(listedUser) }),
  search: get('admin', '/api/user/search', {
    recentProof: 'reads',
    query: searchQuery,
    data: pageOf(listedUser),
  }),
  get: get('admin', '/api/user/:id', { recentProof: 'reads', params: idParams, data: listedUser }),
  /** Days begin at midnight of the caller's time zone. */
  activity: get('admin', '/api/user/:id/activity', {
    recentProof: 'reads',
    params: idParams,
    query: offsetOnly,
    data: userActivity,
  }),
  create: post('admin', '/api/user/', { recentProof: 'operates', body: userCreateBody, data: listedUser }),
  update: put('admin', '/api/user/', {
    // No proof of a password is needed: root's own is set by this call too.
    recentProof: { forField: 'password' },
    body: userUpdateBody,
    data: listedUser,
  }),
  /** Root alone promotes and demotes; root is never demoted, disabled or deleted. Deleted users stay deleted. */
  manage: post('admin', '/api/user/manage', {
    recentProof: forAccess,
    body: z.object({ id: z.number().int().positive(), action: z.enum(userActions) }),
    data: managedUser,
  }),
  /** The same action on many; returns the number of changed users, and an outcome for each id, named once. */
  manageBatch: post('admin', '/api/user/manage/batch', {
    recentProof: forAccess,
    body: z.object({
      ids: z.array(z.number().int().positive()).min(1).max(maxPageSize),
      action: z.enum(userActions),
    }),
    data: z.number().int(),
    extra: bulkOutcomes,
  }),
  /** Deletes for good in every list; the record, its keys and logs stay in the database. */
  delete: del('admin', '/api/user/:id', { recentProof: 'withdraws', params: idParams, data: emptyData }),
}
