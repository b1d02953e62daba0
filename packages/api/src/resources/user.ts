import { z } from 'zod'
import { roles, userStatuses } from '../roles.ts'
import { quota } from '../wire.ts'
import { id, named, rateLimits, text } from './fields.ts'
import { defineResource } from './resource.ts'

const identity = () => z.string().readonly()

/** An account. What opens it is no field of it: passwords and tokens are written, and never read. */
export const userRecord = z.object({
  id: id.readonly(),
  username: text(),
  displayName: text(),
  role: named(roles).readonly(),
  status: named(userStatuses).readonly(),
  group: z.string().default('default'),
  email: identity(),
  githubId: identity(),
  oidcId: identity(),
  wechatId: identity(),
  telegramId: identity(),
  linuxDoId: identity(),
  quota: quota.readonly(),
  usedQuota: quota.readonly(),
  requestCount: z.number().int().readonly(),
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

/** The fields of an account that administrators write, with the values of a new one. */
export type UserFields = typeof userResource.defaults
