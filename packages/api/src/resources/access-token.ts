import { z } from 'zod'
import { unixSeconds } from '../wire.ts'
import { id, trimmed } from './fields.ts'
import { defineResource, field } from './resource.ts'

export const accessTokenNameMaxLength = 50

/** `full` does what its owner may do, `read` only calls that do not act, with their secrets masked. */
export const accessTokenScopes = ['full', 'read'] as const
export type AccessTokenScope = (typeof accessTokenScopes)[number]

/** A token for programs that use the console's calls, as its owner sees it. Its secret is no field of it: it is shown once. */
export const accessTokenRecord = z.object({
  id: id.readonly(),
  /** Empty for the one that `POST /api/user/token` replaces. */
  name: trimmed(z.string().max(200))
    .default('')
    .register(field, {
      limits: {
        required: 'access_token_name_invalid',
        maxLength: accessTokenNameMaxLength,
        tooLong: 'access_token_name_invalid',
      },
    }),
  scope: z.enum(accessTokenScopes).default('full'),
  createdAt: unixSeconds.readonly(),
  /** 0 for never. */
  expiresAt: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  /** Exact to some minutes; 0 when it was never used. */
  lastUsedAt: unixSeconds.default(0).readonly(),
})

/** Access tokens: how calls, forms and the store read the record. */
export const accessTokenResource = defineResource(accessTokenRecord, {})
