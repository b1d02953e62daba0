import { z } from 'zod'
import { freezeCauses, tokenStatuses } from '../roles.ts'
import { secretText } from '../secret-fields.ts'
import { quota, unixSeconds } from '../wire.ts'
import { commaList, id, lines, named, nullAs, rateLimits, trimmed } from './fields.ts'
import { pageFieldsOf } from './page-fields.ts'
import { defineResource, field } from './resource.ts'

/** Expiry in JSON of a key that never expires. */
export const neverExpires = -1

export const tokenNameMaxLength = 30

/** An API key with what it allows its programs. Only its owner sees it. */
export const tokenRecord = z.object({
  id: id.readonly(),
  userId: id.readonly(),
  name: trimmed()
    .default('')
    .register(field, {
      limits: {
        required: 'token_name_required',
        maxLength: tokenNameMaxLength,
        tooLong: 'token_name_too_long',
      },
      column: { sort: true },
    }),
  status: named(tokenStatuses).readonly().register(field, { column: {} }),
  /** Empty: the group of the owner. */
  group: z
    .string()
    .default('')
    .register(field, { column: { from: 1280 } }),
  /** The bare 48 characters; programs send them with `sk-` in front. */
  key: secretText()
    .readonly()
    .register(field, { column: { from: 820 } }),
  usedQuota: quota.readonly().register(field, { column: { sort: true, from: 960 } }),
  remainQuota: quota.default(0).register(field, {
    // Far below the largest safe integer, so that sums stay exact.
    limits: { min: 0, max: 10 ** 15, outside: 'token_quota_invalid' },
    column: { sort: true },
  }),
  unlimitedQuota: z.boolean().default(false),
  /** Time of the last call; the time of creation before the first. */
  accessedAt: unixSeconds.readonly().register(field, { column: { sort: true, from: 1280 } }),
  expiresAt: nullAs(neverExpires, unixSeconds)
    .default(null)
    .register(field, { column: { sort: true, from: 1280 } }),
  createdAt: unixSeconds.readonly().register(field, { column: { sort: true, from: 1360 } }),
  modelLimitsEnabled: z.boolean().default(false),
  modelLimits: commaList()
    .default([])
    .register(field, { nullIsEmpty: true, limits: { maxLength: 4096, tooLong: 'token_models_too_long' } }),
  /** One address or CIDR range a line; empty allows every address. */
  allowIps: lines()
    .default('')
    .register(field, { nullIsEmpty: true, limits: { maxLength: 4096 } }),
  ...rateLimits(),
  /** Time when an administrator or a secret scanner froze it: its status is 2 (disabled), and its owner cannot enable it. */
  frozenAt: nullAs(0, unixSeconds).readonly(),
  /** Empty while it is not frozen. */
  freezeCause: z.enum(freezeCauses).readonly(),
  /** Reason for its owner to read: the administrator's words, or the address at which it was found. */
  freezeNote: z.string().readonly(),
})

export const tokenResource = defineResource(tokenRecord, {
  createdAt: 'created_time',
  accessedAt: 'accessed_time',
  expiresAt: 'expired_time',
})

export const tokenFields = pageFieldsOf(tokenResource)
