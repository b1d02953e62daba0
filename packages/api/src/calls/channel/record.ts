import { z } from 'zod'
import { quota, unixSeconds } from '../../wire.ts'

/** See `ChannelReasonParams`. */
const channelReasonParams = z.record(z.string(), z.union([z.string(), z.number()]))

/** Why, as text in English, and as a code with parameters for a sentence in the reader's language (`channelReasonTexts`). */
const reasonFields = {
  reason: z.string(),
  /** Empty where there is no reason, or one written down by an older version as text alone. */
  reason_code: z.string(),
  reason_params: channelReasonParams,
}

/** How one key of a channel is doing. The key itself is never on the wire, only its place in the list. */
export const channelKeyHealth = z.object({
  index: z.number().int(),
  /** First 3 and last 3 characters, to tell keys apart. */
  hint: z.string(),
  status: z.enum(['enabled', 'resting', 'auto-disabled', 'disabled']),
  ...reasonFields,
  /** Unix seconds when it was disabled; 0 for a key that is not. */
  disabled_at: unixSeconds,
  /** Unix seconds when it is tried again; 0 when nothing is planned. */
  retry_at: unixSeconds,
})

export const channelHealth = z.object({
  state: z.enum(['closed', 'open', 'half-open']),
  /** Share of failed attempts in the rolling window, 0 to 1. */
  error_rate: z.number(),
  ...reasonFields,
  retry_at: unixSeconds,
  /** When a call or test last succeeded, also before a restart; 0 for never. */
  last_success_time: unixSeconds,
  /** When one last failed by the channel's fault; 0 for never. */
  last_failure_time: unixSeconds,
  /** What the last failure was; empty when there was none. */
  last_failure_code: z.string(),
  last_failure_params: channelReasonParams,
  /** No call and no test has ever succeeded. */
  never_answered: z.boolean(),
  /** Latency in ms of the latest attempts, oldest first (at most 30), for the sparkline. */
  recent_ms: z.array(z.number()),
  keys: z.array(channelKeyHealth),
})

/** A channel on the wire. `key` is always empty: provider keys never leave the server. */
export const channel = z.object({
  id: z.number().int(),
  type: z.number().int(),
  key: z.literal(''),
  /** How many keys the channel holds. */
  key_count: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  openai_organization: z.string(),
  max_input_tokens: z.number().int(),
  base_url: z.string(),
  other: z.string(),
  /** Comma lists. */
  models: z.string(),
  group: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  param_override: z.string(),
  setting: z.string(),
  auto_ban: z.number().int(),
  test_model: z.string(),
  priority: z.number().int(),
  weight: z.number().int(),
  tag: z.string(),
  used_quota: quota,
  balance: z.number(),
  balance_updated_time: unixSeconds,
  /** Milliseconds; 0 when never tested. */
  response_time: z.number().int(),
  test_time: unixSeconds,
  created_time: unixSeconds,
  /** JSON text with status_reason, status_time, reason_code and reason_params; empty when the status never changed by itself. */
  other_info: z.string(),
  health: channelHealth,
})
export type Channel = z.output<typeof channel>
