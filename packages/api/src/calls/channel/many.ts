import { z } from 'zod'
import { defineCall } from '../../call.ts'
import { bulkOutcomes } from '../../wire.ts'

/** Ids of a bulk call. */
const ids = z.array(z.number().int().positive()).max(10_000)

/** Fields that are absent, null or an empty text stay as they are, but an empty `new_tag` dissolves the tag. */
export const channelTagBody = z.object({
  tag: z.string(),
  new_tag: z.string().nullish(),
  priority: z.number().int().nullish(),
  weight: z.number().int().nullish(),
  model_mapping: z.string().nullish(),
  /** Comma lists. */
  models: z.string().nullish(),
  groups: z.string().nullish(),
})
export type ChannelTagBody = z.output<typeof channelTagBody>

/** What a bulk change sets on every channel that it names. */
export const channelBatchBody = z.object({
  ids,
  status: z.number().int().optional(),
  priority: z.number().int().optional(),
  weight: z.number().int().optional(),
})
export type ChannelBatchBody = z.output<typeof channelBatchBody>

/** How many rows a bulk call changed. */
const count = z.number().int()

/** What is done with many channels by one call. */
export const channelBulkCalls = {
  deleteMany: defineCall({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    body: z.object({ ids }),
    data: count,
    extra: bulkOutcomes,
  }),
  /** Deletes every channel that is not enabled. */
  deleteDisabled: defineCall({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    data: count,
  }),
  updateMany: defineCall({
    method: 'POST',
    path: '/api/channel/batch/update',
    access: 'admin',
    body: channelBatchBody,
    data: count,
    extra: bulkOutcomes,
  }),
  /** `null` takes the tag off. */
  tagMany: defineCall({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    body: z.object({ ids, tag: z.string().nullable() }),
    data: count,
    extra: bulkOutcomes,
  }),
  updateTag: defineCall({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    body: channelTagBody,
    data: count,
  }),
  enableTag: defineCall({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    body: z.object({ tag: z.string() }),
    data: count,
  }),
  disableTag: defineCall({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    body: z.object({ tag: z.string() }),
    data: count,
  }),
  /** Repairs what does not fit together in the store, and reads all channels anew. Answers how many repairs it made. */
  fix: defineCall({ method: 'POST', path: '/api/channel/fix', access: 'admin', data: count }),
}
