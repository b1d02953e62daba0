import { z } from 'zod'
import { defineCall } from '../call.ts'
import { channelBulkCalls } from './channel/many.ts'
import { channelModelCalls } from './channel/models.ts'
import { channelCalls } from './channel/one.ts'
import { channelRunCalls } from './channel/runs.ts'

export * from './channel/fields.ts'
export { type ChannelSort, channelSorts } from './channel/list-query.ts'
export {
  type ChannelBatchBody,
  type ChannelTagBody,
  channelBatchBody,
  channelTagBody,
} from './channel/many.ts'
export { type Channel, channel, channelHealth, channelKeyHealth } from './channel/record.ts'
export { type ChannelRun, channelRun } from './channel/runs.ts'

export const channels = { ...channelCalls, ...channelBulkCalls, ...channelRunCalls, ...channelModelCalls }

export const groups = {
  list: defineCall({ method: 'GET', path: '/api/group/', access: 'admin', data: z.array(z.string()) }),
}

export const models = {
  /** Channel type id (as text) to the model names such a channel usually serves. */
  byChannelType: defineCall({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    data: z.record(z.string(), z.array(z.string())),
  }),
}
