import { z } from 'zod'
import { redemptionStatuses } from '../roles.ts'
import { secretText } from '../secret-fields.ts'
import { quota, unixSeconds } from '../wire.ts'
import { id, named, nullAs, trimmed } from './fields.ts'
import { pageFieldsOf } from './page-fields.ts'
import { defineResource, field } from './resource.ts'

/** A code that adds quota once to the account that redeems it, as administrators see it. */
export const redemptionRecord = z.object({
  name: trimmed()
    .default('')
    .register(field, {
      limits: { required: 'redemption_name_length', maxLength: 20, tooLong: 'redemption_name_length' },
      column: { sort: true },
    }),
  id: id.readonly().register(field, { column: { sort: true, from: 960 } }),
  creatorId: id.readonly(),
  status: named(redemptionStatuses).readonly().register(field, { column: {} }),
  quota: quota.clone().register(field, {
    // Far below the largest safe integer, so that sums stay exact.
    limits: { min: 1, max: 10 ** 15, outside: 'redemption_quota_invalid' },
    column: { sort: true },
  }),
  /** 32 lower-case hexadecimal characters. */
  key: secretText()
    .readonly()
    .register(field, { column: { from: 820 } }),
  redeemedAt: nullAs(0, unixSeconds)
    .readonly()
    .register(field, { column: { sort: true } }),
  createdAt: unixSeconds.readonly().register(field, { column: { from: 1280 } }),
  /** Id of the user who redeemed it; null before, which JSON writes as 0. */
  usedUserId: nullAs(0, id).readonly(),
  /** The name of that user, also of a deleted one; empty for nobody. */
  usedUsername: z.string().readonly(),
})

export const redemptionResource = defineResource(redemptionRecord, {
  creatorId: 'user_id',
  createdAt: 'created_time',
  redeemedAt: 'redeemed_time',
})

export const redemptionFields = pageFieldsOf(redemptionResource)
