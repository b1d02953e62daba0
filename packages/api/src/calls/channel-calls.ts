import { z } from 'zod'
import { secretText } from '../secret-fields.ts'
import {
  bulkOutcomes,
  emptyData,
  idParams,
  listTotal,
  optionalPageSize,
  pageSize,
  queryText,
  zeroBasedPage,
} from '../wire.ts'
import {
  channel,
  channelBatchBody,
  channelBatchPreview,
  channelCreateBody,
  channelDraftBody,
  channelDraftTest,
  channelDrainBody,
  channelKeyBody,
  channelKeyScheduleBody,
  channelKeysBody,
  channelListQuery,
  channelRun,
  channelScheduleBody,
  channelStops,
  channelStopsBody,
  channelTagBody,
  channelUpdateBody,
  channelIds as ids,
} from './channel.ts'
import { del, get, post, put } from './define.ts'

/** Root may send stored keys to another server, and so read them: not with a session whose owner was not proven. */
const elsewhere = { forEffect: 'sends-stored-keys-elsewhere' } as const

const zeroBased = { size: 'page_size', marks: ['id_sort', 'tag_mode'] } as const

/** Number of rows that a bulk call changed. */
const count = z.number().int()

/** Calls on channels. */
export const channels = {
  list: get('admin', '/api/channel/', {
    part: 'channels',
    recentProof: 'reads',
    query: z.object({ p: zeroBasedPage, page_size: pageSize, ...channelListQuery }),
    zeroBased,
    data: z.array(channel),
    extra: listTotal,
  }),
  search: get('admin', '/api/channel/search', {
    part: 'channels',
    recentProof: 'reads',
    /** Every match, unless `page_size` asks for pages. */
    query: z.object({ p: zeroBasedPage, page_size: optionalPageSize, ...channelListQuery }),
    zeroBased,
    data: z.array(channel),
    extra: listTotal,
  }),
  /** The tags in use, in the order of their names, and how many channels have each. */
  tags: get('admin', '/api/channel/tags', {
    part: 'channels',
    recentProof: 'reads',
    data: z.array(z.object({ tag: z.string(), count: z.number().int() })),
  }),
  get: get('admin', '/api/channel/:id', {
    part: 'channels',
    recentProof: 'reads',
    params: idParams,
    data: channel,
  }),
  create: post('admin', '/api/channel/', {
    part: 'channels',
    recentProof: 'operates',
    body: channelCreateBody,
    wrapped: {
      member: 'channel',
      modes: { single: 'single', batch: 'separate', multi_to_single: 'single' },
    },
    /** The first, when the body made several. */
    data: channel,
    extra: z.object({ ids: z.array(z.number().int()) }),
  }),
  /** A second channel with the same keys and settings. */
  copy: post('admin', '/api/channel/copy/:id', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    data: channel,
  }),
  /** The one call that returns keys, in their order. */
  revealKeys: post('root', '/api/channel/:id/key', {
    recentProof: true,
    sessionOnly: true,
    params: idParams,
    data: z.object({ keys: z.array(secretText()) }),
  }),
  changeKey: put('admin', '/api/channel/:id/key', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    body: channelKeyBody,
    data: channel,
  }),
  /** Adds keys to those that the channel has. */
  addKeys: post('admin', '/api/channel/:id/keys', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    body: channelKeysBody,
    data: channel,
    /** Number of keys that it did not have. */
    extra: z.object({ added: z.number().int() }),
  }),
  update: put('admin', '/api/channel/', {
    part: 'channels',
    recentProof: elsewhere,
    body: channelUpdateBody,
    data: channel,
  }),
  /** Enables (1) or disables (2) a channel; returns whether that changed it. */
  setStatus: post('admin', '/api/channel/:id/status', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    body: z.object({ status: z.union([z.literal(1), z.literal(2)]) }),
    data: z.boolean(),
  }),
  /** Plans when a channel is switched off and on again; replaces what was planned. */
  schedule: put('admin', '/api/channel/:id/schedule', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    body: channelScheduleBody,
    data: channel,
  }),
  cancelSchedule: del('admin', '/api/channel/:id/schedule', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    data: channel,
  }),
  /** Plans when one key of a channel is switched off and on again, or cancels that. */
  scheduleKey: put('admin', '/api/channel/:id/key/schedule', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    body: channelKeyScheduleBody,
    data: channel,
  }),
  /** Has new calls avoid a channel while those that are open there go on; it is disabled once nothing is. */
  drain: post('admin', '/api/channel/:id/drain', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    body: channelDrainBody,
    data: channel,
  }),
  /** Leaves a draining channel disabled, whatever is open there. */
  endDrain: del('admin', '/api/channel/:id/drain', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    data: channel,
  }),
  delete: del('admin', '/api/channel/:id', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    data: emptyData,
  }),

  // Many channels by one call.
  deleteMany: post('admin', '/api/channel/batch', {
    part: 'channels',
    recentProof: 'operates',
    body: z.object({ ids }),
    data: count,
    extra: bulkOutcomes,
  }),
  /** Deletes every channel that is not enabled. */
  deleteDisabled: del('admin', '/api/channel/disabled', {
    part: 'channels',
    recentProof: 'operates',
    data: count,
  }),
  updateMany: post('admin', '/api/channel/batch/update', {
    part: 'channels',
    recentProof: elsewhere,
    body: channelBatchBody,
    data: count,
    extra: bulkOutcomes,
  }),
  /** Previews `updateMany`, by the order of the ids; changes nothing. */
  previewMany: post('admin', '/api/channel/batch/preview', {
    part: 'channels',
    recentProof: 'reads',
    body: channelBatchBody,
    data: z.array(channelBatchPreview),
  }),
  /** Says what would stop, or be charged otherwise, with an intended change; changes nothing. */
  stops: post('admin', '/api/channel/stops', {
    part: ['channels', 'prices'],
    recentProof: 'reads',
    body: channelStopsBody,
    data: channelStops,
  }),
  /** `null` takes the tag off. */
  tagMany: post('admin', '/api/channel/batch/tag', {
    part: 'channels',
    recentProof: 'operates',
    body: z.object({ ids, tag: z.string().nullable() }),
    data: count,
    extra: bulkOutcomes,
  }),
  updateTag: put('admin', '/api/channel/tag', {
    part: 'channels',
    recentProof: 'operates',
    body: channelTagBody,
    data: count,
  }),
  enableTag: post('admin', '/api/channel/tag/enabled', {
    part: 'channels',
    recentProof: 'operates',
    body: z.object({ tag: z.string() }),
    data: count,
  }),
  disableTag: post('admin', '/api/channel/tag/disabled', {
    part: 'channels',
    recentProof: 'operates',
    body: z.object({ tag: z.string() }),
    data: count,
  }),
  /** Repairs inconsistencies in the store, and reloads all channels. Returns the number of repairs. */
  fix: post('admin', '/api/channel/fix', { part: 'channels', recentProof: 'operates', data: count }),

  // Tests and balances, of one channel and of all.
  /** `time` is seconds, also on failure. */
  test: get('admin', '/api/channel/test/:id', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    /** `key_id` tests that key, else the first in service. */
    query: z.object({ model: queryText, key_id: queryText }),
    data: emptyData,
    extra: z.object({ time: z.number() }),
  }),
  /** Tests the unsaved values of a form, with the stored keys where it names a channel and no key. Stores nothing. */
  testDraft: post('admin', '/api/channel/test', {
    part: 'channels',
    recentProof: elsewhere,
    body: channelDraftBody,
    data: channelDraftTest,
  }),
  /** Starts a run over all enabled channels and returns at once. */
  testAll: get('admin', '/api/channel/test', { part: 'channels', recentProof: 'operates', data: emptyData }),
  testProgress: get('admin', '/api/channel/test/progress', {
    part: 'channels',
    recentProof: 'reads',
    data: channelRun,
  }),
  /** Ends a run; returns its progress. Does nothing when none is under way. */
  cancelTest: del('admin', '/api/channel/test', {
    part: 'channels',
    recentProof: 'operates',
    data: channelRun,
  }),
  updateBalance: get('admin', '/api/channel/update_balance/:id', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    data: emptyData,
    /** Reads a balance in the currency of the upstream's own account. */
    extra: z.object({ balance: z.number() }),
  }),
  /** Starts a run over all enabled channels whose type has a balance, and returns at once. */
  updateAllBalances: get('admin', '/api/channel/update_balance', {
    part: 'channels',
    recentProof: 'operates',
    data: emptyData,
  }),
  balanceProgress: get('admin', '/api/channel/update_balance/progress', {
    part: 'channels',
    recentProof: 'reads',
    data: channelRun,
  }),
  cancelBalances: del('admin', '/api/channel/update_balance', {
    part: 'channels',
    recentProof: 'operates',
    data: channelRun,
  }),

  // Names of models: of the product, of the channels, of an upstream.
  /** All model names known to the product, for the form's picker. */
  models: get('admin', '/api/channel/models', {
    part: 'any',
    recentProof: 'reads',
    data: z.array(z.object({ id: z.string(), owned_by: z.string() })),
  }),
  enabledModels: get('admin', '/api/channel/models_enabled', {
    part: 'any',
    recentProof: 'reads',
    data: z.array(z.string()),
  }),
  fetchModels: get('admin', '/api/channel/fetch_models/:id', {
    part: 'channels',
    recentProof: 'operates',
    params: idParams,
    data: z.array(z.string()),
  }),
  fetchModelsForNew: post('admin', '/api/channel/fetch_models', {
    part: 'channels',
    recentProof: elsewhere,
    body: channelDraftBody,
    data: z.array(z.string()),
  }),
}

/** Models by the type of channel that serves them. */
export const models = {
  /** Channel type id (as text) to the model names such a channel usually serves. */
  byChannelType: get('user', '/api/models', {
    recentProof: 'reads',
    data: z.record(z.string(), z.array(z.string())),
  }),
}
