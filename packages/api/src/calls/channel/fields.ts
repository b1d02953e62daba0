import { z } from 'zod'

export const channelNameMaxLength = 100
export const priorityMinimum = -999

const text = z.string().nullable()
const channelFields = {
  type: z.number().int(),
  key: z.string(),
  name: z.string(),
  openai_organization: text,
  max_input_tokens: z.number().int().min(0).nullable(),
  base_url: text,
  other: text,
  models: z.string(),
  group: z.string(),
  model_mapping: text,
  status_code_mapping: text,
  param_override: text,
  setting: text,
  auto_ban: z.number().int().min(0).max(1).nullable(),
  test_model: text,
  priority: z.number().int().nullable(),
  weight: z.number().int().nullable(),
  tag: text,
  status: z.number().int(),
}

/**
 * `key` may hold several keys, one per line: they become one channel that uses them in turn or, in mode `separate`, a
 * channel each.
 */
export const channelCreateBody = z.object({
  ...channelFields,
  mode: z.enum(['single', 'separate']).default('single'),
  type: channelFields.type.default(1),
  key: channelFields.key.default(''),
  name: channelFields.name.default(''),
  openai_organization: text.default(''),
  max_input_tokens: channelFields.max_input_tokens.default(0),
  base_url: text.default(''),
  other: text.default(''),
  models: channelFields.models.default(''),
  group: channelFields.group.default('default'),
  model_mapping: text.default(''),
  status_code_mapping: text.default(''),
  param_override: text.default(''),
  setting: text.default(''),
  auto_ban: channelFields.auto_ban.default(1),
  test_model: text.default(''),
  priority: channelFields.priority.default(0),
  weight: channelFields.weight.default(0),
  tag: text.default(''),
  status: channelFields.status.default(1),
})
export type ChannelCreateBody = z.output<typeof channelCreateBody>

/** What is done with one of a channel's keys. `hint` must be the one shown for its place, so that no other is meant. */
export const channelKeyBody = z.object({
  index: z.number().int().min(0),
  hint: z.string(),
  act: z.enum(['enable', 'disable', 'delete']),
})
export type ChannelKeyBody = z.output<typeof channelKeyBody>

/** Partial: absent fields stay as they are; an empty key keeps the stored keys. */
export const channelUpdateBody = z
  .object({ id: z.number().int().positive() })
  .extend(z.object(channelFields).partial().shape)
export type ChannelUpdateBody = z.output<typeof channelUpdateBody>
