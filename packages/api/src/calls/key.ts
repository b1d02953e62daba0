import { z } from 'zod'
import { freezeCauses } from '../roles.ts'
import { emptyData, idParams, quota, unixSeconds } from '../wire.ts'
import { clockOnly } from './data.ts'
import { get, post } from './define.ts'

/** Days of which a key's addresses and spend are known here. */
export const keyHistoryDays = 30

/** Greatest length of an administrator's words about a freeze. */
export const freezeNoteMaxLength = 500

/** A key that somebody found by its text, without the text itself. */
export const foundKey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The found key with its middle masked. */
  key: z.string(),
  user_id: z.number().int(),
  username: z.string(),
  /** The displayed status: 1 to 4. */
  status: z.number().int(),
  /** 0 while it is not frozen. */
  frozen_at: unixSeconds,
  freeze_cause: z.enum(freezeCauses),
  freeze_note: z.string(),
  /** 0 while it is not deleted. */
  deleted_at: unixSeconds,
  created_time: unixSeconds,
  /** Time of the last call; the time of creation before the first. */
  accessed_time: unixSeconds,
  /** -1 for never. */
  expired_time: z.number().int(),
  /** Set when a rotation replaced the found key; it works until `ends_at`. */
  replaced: z.object({ replaced_at: unixSeconds, ends_at: unixSeconds }).nullable(),
  /** Charges of this day and of thirty days, today among them, and the calls of those. */
  quota_today: quota,
  quota_month: quota,
  calls_month: z.number().int(),
  /** Addresses of thirty days from which somebody called with it, last seen first; refused calls count too. */
  addresses: z.array(
    z.object({
      address: z.string(),
      calls: z.number().int(),
      first_seen_at: unixSeconds,
      last_seen_at: unixSeconds,
    }),
  ),
  /** The caller may freeze it, or lift the freeze. */
  may_freeze: z.boolean(),
})
/** A key that was found by its text. */
export type FoundKey = z.output<typeof foundKey>

/** A complete key, with or without `sk-` in front. It is in the body, so that no address and no history has it. */
const keyBody = z.object({ key: z.string().min(1).max(500) })

/** Keys by their text, and keys of all users. Days begin at midnight of the caller's time zone. */
export const keys = {
  /** A key of the caller's own. One of somebody else is as unknown as any other text. */
  findOwn: post('user', '/api/token/find', {
    recentProof: 'reads',
    critical: true,
    query: clockOnly,
    body: keyBody,
    data: foundKey,
  }),
  /** A key of the caller's own or of users of lower rank, also one that is deleted, expired or replaced. */
  find: post('admin', '/api/key/find', {
    part: 'users',
    recentProof: 'reads',
    critical: true,
    query: clockOnly,
    body: keyBody,
    data: foundKey,
  }),
  /**
   * Takes leaked keys from secret scanners of code hosts, in the form of GitHub's partner programme: a list of `{ token, type, url, source }`.
   * Freezes those that are keys of this gateway, and says of each whether it is one.
   */
  reportLeaks: post('signature', '/api/secret_scanning', {
    recentProof: 'signed',
    accepts: 'raw',
    maxBodyBytes: 1024 * 1024,
    response: 'text',
  }),
  get: get('admin', '/api/key/:id', {
    part: 'users',
    recentProof: 'reads',
    params: idParams,
    query: clockOnly,
    data: foundKey,
  }),
  /** Refuses the key from now on, on every node. Its owner reads the note, and cannot enable it. */
  freeze: post('admin', '/api/key/:id/freeze', {
    part: 'users',
    recentProof: 'withdraws',
    params: idParams,
    body: z.object({ note: z.string().trim().max(freezeNoteMaxLength).default('') }),
    data: emptyData,
  }),
  /** Gives the key back to its owner, switched on or off as it was. */
  unfreeze: post('admin', '/api/key/:id/unfreeze', {
    part: 'users',
    recentProof: true,
    params: idParams,
    data: emptyData,
  }),
}
