import { z } from 'zod'
import { roles, userStatuses } from '../roles.ts'
import { quota, unixSeconds } from '../wire.ts'
import { id, named, rateLimits, text } from './fields.ts'
import { pageColumnsOf, pageFiltersOf } from './page-fields.ts'
import { defineResource, field } from './resource.ts'

const identity = () => z.string().readonly()

/** An account. What opens it is no field of it: passwords and tokens are written, and never read. */
export const userRecord = z.object({
  username: text({ column: { sort: true } }),
  id: id.readonly().register(field, { column: { sort: true, from: 960 } }),
  displayName: text(),
  status: named(userStatuses).readonly().register(field, { column: {}, filter: true }),
  role: named(roles)
    .readonly()
    .register(field, { column: { from: 768 }, filter: true }),
  group: z
    .string()
    .default('default')
    .register(field, { column: { from: 960 }, filter: true }),
  email: identity(),
  githubId: identity(),
  oidcId: identity(),
  wechatId: identity(),
  telegramId: identity(),
  linuxDoId: identity(),
  quota: quota.readonly().register(field, { column: { sort: true } }),
  usedQuota: quota.readonly().register(field, { column: { sort: true, from: 960 } }),
  requestCount: z
    .number()
    .int()
    .readonly()
    .register(field, { column: { sort: true, from: 1360 } }),
  createdAt: unixSeconds.readonly().register(field, { column: { sort: true, from: 1440 } }),
  /** 0 before the first log-in. */
  lastLoginAt: unixSeconds.readonly().register(field, { column: { sort: true, from: 1440 } }),
  affCode: z.string().readonly(),
  affCount: z.number().int().readonly(),
  affQuota: quota.readonly(),
  affHistoryQuota: quota.readonly(),
  inviterId: z.number().int().readonly(),
  ...rateLimits(),
  /** JSON text; empty when never saved. */
  setting: z.string().readonly(),
})

export const userResource = defineResource(userRecord, {})

/** Columns and declared filters of the list. */
export const userColumns = pageColumnsOf(userResource)
export const userFilters = pageFiltersOf(userResource)

/** The fields of an account that administrators write, with the values of a new one. */
export type UserFields = typeof userResource.defaults
