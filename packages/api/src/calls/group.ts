import { z } from 'zod'
import { consentFields } from '../consent.ts'
import { groupDescriptionMaxLength, maxGroupRatio, rateLimitMax } from '../settings/shapes.ts'
import { emptyData, quota, unixSeconds } from '../wire.ts'
import { get, post, put } from './define.ts'

const ratio = z.number().min(0).max(maxGroupRatio)
const limit = z.number().int().min(0).max(rateLimitMax)

/**
 * The settings of a group. The options store them, in a map by group each; a caller reads and writes the fields whose options they may
 * read and write.
 */
export const groupSettings = z.object({
  /** Factor on every price. */
  ratio,
  /** Everybody may choose the group for a key; without it only its own users call in it. */
  is_open: z.boolean(),
  /** Text that people read where they choose; of a group that is not open it is empty. */
  description: z.string().max(groupDescriptionMaxLength),
  /** Factor on the price of a top-up. */
  top_up_ratio: ratio,
  /** Requests of each user in the period of the general limit; null: the general limit holds. 0 for `requests` is no limit. */
  user_limits: z.object({ requests: limit, successes: limit.min(1) }).nullable(),
  /** Limits of all calls of the group together, per minute and at once; 0 is no limit. */
  requests_per_minute: limit,
  tokens_per_minute: limit,
  concurrency: limit,
})
/** Ratio, description and limits of a group. */
export type GroupSettings = z.output<typeof groupSettings>
/** A field of a group's settings. */
export type GroupField = keyof GroupSettings

export const groupChange = groupSettings.partial()
/** Fields of a group's settings, any of them. */
export type GroupChange = z.output<typeof groupChange>

/** A group with its settings, as far as the caller may read them, and the numbers of its members. */
export const groupRow = groupChange.extend({
  name: z.string(),
  /** Unset for a group without a ratio, which users or options name nevertheless: its calls are refused. */
  has_ratio: z.boolean(),
  users: z.number().int(),
  tokens: z.number().int(),
  channels: z.number().int(),
})
/** A group in the list of all. */
export type GroupRow = z.output<typeof groupRow>

/** The ratio of top-ups is an option of payments, which ask for a proof. */
const topUps = { forEffect: 'changes-a-proven-option' } as const

const name = z.string().min(1).max(100)

/** Charged calls of a group since a time. */
const groupUsage = z.object({ name: z.string(), calls: z.number().int(), quota, since: unixSeconds })
/** Charged calls of a group since a time. */
export type GroupUsage = z.output<typeof groupUsage>

/** The groups that have a price ratio, and what the options say of each. */
export const groups = {
  list: get('admin', '/api/group/', { part: 'any', recentProof: 'reads', data: z.array(z.string()) }),
  overview: get('admin', '/api/group/overview', {
    part: 'prices',
    recentProof: 'reads',
    data: z.array(groupRow),
    extra: z.object({
      /** Fields that the caller may write. */
      writable: z.array(z.enum(Object.keys(groupSettings.shape) as [GroupField, ...GroupField[]])),
    }),
  }),
  /** Charged calls of the last 30 days, in the groups that have any; of at most 100 groups. */
  usage: get('admin', '/api/group/usage', {
    part: 'log',
    recentProof: 'reads',
    data: z.array(groupUsage),
  }),
  /** Absent fields of the new group are those of a group without entries: ratio 1, not open, no limits. */
  create: post('admin', '/api/group/', {
    part: 'prices',
    recentProof: topUps,
    body: groupChange.extend({ name, ...consentFields }),
    data: emptyData,
  }),
  /** All fields or none. Absent ones stay. Refused with `edit_conflict` where somebody changed the same field since. */
  update: put('admin', '/api/group/', {
    part: 'prices',
    recentProof: topUps,
    body: groupChange.extend({
      name,
      /** The fields as the change was made on them. */
      base: groupChange.optional(),
      ...consentFields,
    }),
    data: emptyData,
  }),
  /** Its users, keys, channels and settings follow in the same step; what is past keeps the former name. */
  rename: post('admin', '/api/group/rename', {
    part: 'prices',
    recentProof: topUps,
    body: z.object({ name, new_name: name, ...consentFields }),
    data: emptyData,
  }),
  /** Refused while users, keys or channels are in it, unless `moves` names the group that they go to. */
  remove: post('admin', '/api/group/remove', {
    part: 'prices',
    recentProof: topUps,
    body: z.object({ name, ...consentFields }),
    data: emptyData,
  }),
}
