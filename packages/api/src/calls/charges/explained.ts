import { z } from 'zod'
import { secretText } from '../../secret-fields.ts'
import { emptyData, idParams, queryInteger, quota, unixSeconds } from '../../wire.ts'
import { del, get, post } from '../define.ts'
import { logOther } from '../log.ts'

/** A row of the log by its id, and its time, by which it is found at once. */
const ofRow = { log_id: z.number().int().min(1), at: unixSeconds }

/** Days for which a link opens. */
export const chargeLinkDays = { default: 7, max: 90 } as const

/** Subject of a link: a call by its row, or without one the calls of a day. */
const linkOrder = z.object({
  log_id: ofRow.log_id.optional(),
  at: unixSeconds.optional(),
  /** Name of the day, `2026-11-29`, by the clock below. */
  day: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .optional(),
  time_zone: z.string().max(100).optional(),
  utc_offset: z.number().int().min(-900).max(900).default(0),
  /** Time for which it opens. */
  days: z.number().int().min(1).max(chargeLinkDays.max).default(chargeLinkDays.default),
})

export const chargeLink = z.object({
  id: z.number().int(),
  /** 0 for a day. */
  log_id: z.number().int(),
  /** The time of the call, or the first second of the day. */
  starts_at: unixSeconds,
  created_at: unixSeconds,
  expires_at: unixSeconds,
  /** Path of the page that shows it. It opens for everybody who has it, also after the token that listed it has ended. */
  path: secretText(),
})
/** A link to a charge on the wire. */
export type ChargeLinkRow = z.output<typeof chargeLink>

/**
 * The members of `logOther` that explain a charge: its prices, ratios and counts. A link shows these and no others, so that a new member
 * stays hidden until it is one of them.
 */
const explaining = [
  'model_ratio',
  'model_price',
  'completion_ratio',
  'group_ratio',
  'user_group_ratio',
  'quota_per_unit',
  'accepted_at',
  'price_window',
  'image_price',
  'image_count',
  'image_size',
  'image_quality',
  'image_size_ratio',
  'image_quality_ratio',
  'video_price',
  'video_unit',
  'video_seconds',
  'video_resolution',
  'video_resolution_ratio',
  'video_sound_ratio',
  'tool_calls',
  'tier_ratios',
  'length_step',
  'reasoning_tokens',
  'cache_tokens',
  'cache_ratio',
  'cache_creation_tokens',
  'cache_creation_ratio',
  'cache_creation_tokens_5m',
  'cache_creation_ratio_5m',
  'cache_creation_tokens_1h',
  'cache_creation_ratio_1h',
  'claude',
  'input_tokens_total',
  'text_input',
  'text_output',
  'audio',
  'audio_input',
  'audio_output',
  'audio_ratio',
  'audio_completion_ratio',
  'image',
  'image_input',
  'image_output',
  'image_ratio',
  'image_completion_ratio',
  'estimated',
  'ended',
  'shortfall',
  'unfinished',
] as const satisfies readonly (keyof typeof logOther.shape)[]
export const chargeTerms = logOther.pick(
  // `fromEntries` forgets the names of its entries.
  Object.fromEntries(explaining.map((name) => [name, true])) as Record<(typeof explaining)[number], true>,
)
/** Prices, ratios and counts of a charge. */
export type ChargeTerms = z.output<typeof chargeTerms>

/** A charge as its owner sees it, but for whose it is. */
const linkedCharge = z.object({
  created_at: unixSeconds,
  model_name: z.string(),
  token_name: z.string(),
  group: z.string(),
  request_id: z.string(),
  quota,
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  is_stream: z.boolean(),
  terms: chargeTerms,
  /** Correction of the charge since; absent without one. */
  corrected: quota.optional(),
  /** Credited of good will; absent without. */
  credited: quota.optional(),
})
/** A charge on the wire of a link. */
export type LinkedCharge = z.output<typeof linkedCharge>

const linkedLine = z.object({ name: z.string(), calls: z.number().int(), amount: quota })

/** The calls of a day: both lists add up to `charges`. */
const linkedDay = z.object({
  from: unixSeconds,
  end: unixSeconds,
  time_zone: z.string(),
  charges: z.object({ calls: z.number().int(), amount: quota }),
  by_model: z.array(linkedLine),
  by_key: z.array(linkedLine),
})

/** The content of a link: one of the two. */
export const linkedCharges = z.object({
  expires_at: unixSeconds,
  quota_per_unit: z.number(),
  charge: linkedCharge.optional(),
  day: linkedDay.optional(),
})
/** Content of a link on the wire. */
export type LinkedChargesWire = z.output<typeof linkedCharges>

export const chargeLinks = {
  createSelf: post('user', '/api/log/self/link', {
    recentProof: 'uses',
    body: linkOrder,
    data: chargeLink,
  }),
  listSelf: get('user', '/api/log/self/link', { recentProof: 'reads', data: z.array(chargeLink) }),
  revokeSelf: del('user', '/api/log/self/link/:id', {
    recentProof: 'withdraws',
    params: idParams,
    data: emptyData,
  }),
  create: post('admin', '/api/log/link', {
    part: 'log',
    recentProof: 'operates',
    body: linkOrder.extend({
      /** User of a day; a call names its own. */
      user_id: z.number().int().optional(),
    }),
    data: chargeLink,
  }),
  list: get('admin', '/api/log/link', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ user_id: queryInteger }),
    data: z.array(chargeLink),
  }),
  revoke: del('admin', '/api/log/link/:id', {
    part: 'log',
    recentProof: 'withdraws',
    params: idParams,
    data: emptyData,
  }),
  /** Opens a link, without an account. Wrong ones count against the address that tries them. */
  open: get('public', '/api/charge/:token', {
    critical: true,
    recentProof: 'reads',
    params: z.object({ token: z.string().max(200) }),
    data: linkedCharges,
  }),
}

export const goodwill = {
  /** Credits a call, once: the whole of its charge, or a part. */
  give: post('admin', '/api/log/goodwill', {
    part: 'money',
    recentProof: 'operates',
    body: z.object({ ...ofRow, amount: quota.min(1).optional() }),
    data: z.object({ credited: quota }),
  }),
  takeBack: post('admin', '/api/log/goodwill/take_back', {
    part: 'money',
    recentProof: 'operates',
    body: z.object({ log_id: ofRow.log_id }),
    data: z.object({ credited: quota }),
  }),
}
