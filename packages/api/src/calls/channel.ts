import { z } from 'zod'
import { channelConditions } from '../faults.ts'
import { pricePartOptions } from '../models/price-kinds.ts'
import { channelResource } from '../resources/channel.ts'
import { editBase, queryChoice, queryFlag, queryText, unixSeconds } from '../wire.ts'
import { groupChange } from './group.ts'
import { priceEdit } from './model-price.ts'

/** Provider keys are written, and never read. */
const keys = z.string()

/**
 * `key` may hold several keys, one per line: they become one channel that uses them in turn or, in mode `separate`, a
 * channel each.
 */
export const channelCreateBody = channelResource.createBody.extend({
  mode: z.enum(['single', 'separate']).default('single'),
  key: keys.default(''),
})
/** A new channel, or several that differ in their keys. */
export type ChannelCreateBody = z.output<typeof channelCreateBody>

/**
 * A change of one of a channel's keys. `key_id` names it whatever its index is by now; without it, `hint` must be that of the key at
 * `index`, so that no other key changes. `key` is the one that takes its place.
 */
export const channelKeyBody = z.object({
  key_id: z.string().max(64).optional(),
  index: z.number().int().min(0),
  hint: z.string(),
  act: z.enum(['enable', 'disable', 'delete', 'replace']),
  key: keys.optional(),
})
export type ChannelKeyBody = z.output<typeof channelKeyBody>

/** More keys for a channel, one per line; those that it has already are left out. */
export const channelKeysBody = z.object({ key: keys })
/** More keys for a channel. */
export type ChannelKeysBody = z.output<typeof channelKeysBody>

/** Partial: absent fields stay as they are; with an empty key the stored keys stay. */
export const channelUpdateBody = z
  .object({ id: z.number().int().positive() })
  .extend(channelResource.updateBody.shape)
  .extend({ key: keys.optional(), base: editBase })
/** A channel’s id and the fields that change. */
export type ChannelUpdateBody = z.output<typeof channelUpdateBody>

/**
 * A channel as it stands in a form, before it is saved. With an `id` it is that channel with these changes, and an empty
 * key means its stored keys.
 */
export const channelDraftBody = z
  .object({ id: z.number().int().positive().optional() })
  .extend(channelResource.updateBody.omit({ status: true }).shape)
  .extend({ key: keys.optional() })
/** The values of a channel's form. */
export type ChannelDraftBody = z.output<typeof channelDraftBody>

/** Times at which a channel is switched off and on again, in this order; 0 for neither. */
export const channelScheduleBody = z.object({ off_at: unixSeconds, on_at: unixSeconds })
/** Times of a channel's switches. */
export type ChannelScheduleBody = z.output<typeof channelScheduleBody>

/** Times of one key of a channel, which `key_id` names; 0 for both cancels what was planned. */
export const channelKeyScheduleBody = channelScheduleBody.extend({ key_id: z.string().min(1).max(64) })
/** Times of a key's switches. */
export type ChannelKeyScheduleBody = z.output<typeof channelKeyScheduleBody>

/** A drain that `stays` goes on, when nothing is open any more, until somebody ends it; else the channel is disabled then. */
export const channelDrainBody = z.object({ stays: z.boolean().default(false) })
/** Choice of what follows when a channel is empty. */
export type ChannelDrainBody = z.output<typeof channelDrainBody>

/** Options that decide what a call is charged. */
export const chargingOptions = [...pricePartOptions, 'GroupRatio'] as const

/**
 * An intended change of channels: they would serve these `models` and `group`s, or those they have without the lost ones; with none of
 * the four they would be out of service. `tag` names all channels of a tag. Or one of a price, or of a group, which concerns no channel of its own.
 */
export const channelStopsBody = z.object({
  ids: z.array(z.number().int().positive()).max(1000).default([]),
  tag: z.string().optional(),
  models: z.string().optional(),
  group: z.string().optional(),
  lost_models: z.string().optional(),
  lost_groups: z.string().optional(),
  /** One key of the one channel that alone would be out of service, or gone. */
  key_id: z.string().min(1).max(64).optional(),
  /** New price of a model; `null` for none any more. */
  price: priceEdit.optional(),
  /** Options of prices and ratios with the texts that they would have; absent: the default of this version. */
  options: z
    .array(z.object({ key: z.enum(chargingOptions), value: z.string().optional() }))
    .max(100)
    .optional(),
  /** A record of the audit log that would be taken back: what that changes takes the place of the fields above. */
  record: z.number().int().optional(),
  /** New settings of a group, absent ones stay; `null` for a group that is removed. */
  changed_group: z.object({ name: z.string().min(1).max(100), settings: groupChange.nullable() }).optional(),
})
/** An intended change of channels, of a price or of a group. */
export type ChannelStopsBody = z.output<typeof channelStopsBody>

/** A charge of a model in a group before a change and after it, with the group's ratio; or the ratio itself, without a model. */
const changedCharge = z.object({
  model: z.string(),
  /** Empty for a factor, which is the same in every group. */
  group: z.string(),
  /** A part of a price, or `GroupRatio`. */
  part: z.string(),
  /** Words on the way to the figure in its part: a tool, a tier, a length of prompts, hours of the week. Absent in a part of one figure. */
  within: z.string().optional(),
  /** `before` and `after` are currency for one of this unit, or factors. */
  unit: z.string(),
  /** Unit of `before` where it is another one. */
  unit_before: z.string().optional(),
  /** `null` without a price. */
  before: z.number().nullable(),
  /** `null` without a price. */
  after: z.number().nullable(),
})
/** A charge before a change and after it. */
export type ChangedCharge = z.output<typeof changedCharge>

/** Consequences of a change: models that some group can call no more, charges that change, and how both were used. */
export const channelStops = z.object({
  /** The first hundred, by their names, with the groups that lose them. */
  models: z.array(z.object({ model: z.string(), groups: z.array(z.string()) })),
  /** Number of them all. */
  model_count: z.number().int(),
  /** Charges that change, at most a hundred, those that rise most first; a part without a figure of its own that changes as input does is left out. Absent from nodes of the version before. */
  charges: z.array(changedCharge).optional(),
  /** Number of them all. */
  charge_count: z.number().int().optional(),
  /** Calls of the last hour with these models, by users of these groups, and the number of those users. */
  calls: z.number().int(),
  users: z.number().int(),
  /**
   * Quota that the calls of the last hour whose price changes were charged, and an estimate of what they would have been, each call once:
   * by its tokens, as sums know no caches, tools or tiers, and by the ratio of its group. Absent where nothing differs by it.
   */
  spend: z.object({ before: z.number().int(), after: z.number().int() }).optional(),
  /** Attempts of the last hour at the channels that would be out of service, or whose key would be. */
  attempts: z.number().int(),
  /** What stands beside the key that would be out of service; absent for other changes. */
  key: z
    .object({
      /** Other keys that calls may use. */
      others: z.number().int(),
      /** Those among them that wait for a cooldown to end. */
      cooling: z.number().int(),
      /** Asynchronous tasks that this key alone can follow. */
      tasks: z.number().int(),
    })
    .optional(),
})
/** Consequences of a change of channels, of a price or of a group. */
export type ChannelStops = z.output<typeof channelStops>

/** Result of testing a draft. */
export const channelDraftTest = z.object({
  passed: z.boolean(),
  /** Model by its name for callers. */
  model: z.string(),
  /** Seconds. */
  time: z.number(),
  /** The upstream's HTTP status; 0 when it did not respond. */
  status: z.number().int(),
  /** Reason of a failure: the upstream's message, else a description of the event. Empty when it passed. */
  message: z.string(),
  /** Every key in service is tried; the fields above are of the first that failed, else of the first. */
  tested_keys: z.number().int().optional(),
  failed_keys: z
    .array(z.object({ hint: z.string(), status: z.number().int(), message: z.string() }))
    .optional(),
})
/** Result of testing a draft. */
export type ChannelDraftTest = z.output<typeof channelDraftTest>

/** Sort orders of the list by what is no column of a channel's own. `problems`: channels that need a person first. */
export const ownChannelSorts = [
  'balance',
  'error_rate',
  /** Attempts of the last hour. */
  'traffic',
  'last_failure',
  'problems',
] as const

/** What a list of channels can be sorted by. */
export const channelSorts: readonly [string, ...string[]] = [...ownChannelSorts, ...channelResource.sortNames]

/** Filters and order of the list. */
export const channelListQuery = {
  /** The same as `sort=id`, newest first. */
  id_sort: queryFlag,
  /**
   * A page counts tags, in the order of their names, and carries all channels of each; channels without a tag follow, one
   * by one. `total` counts both.
   */
  tag_mode: queryFlag,
  /** Column to sort by; the priority when absent. */
  sort: queryChoice(channelSorts),
  /** Direction; when absent, names ascend and everything else descends; of equals the newest comes first. */
  order: queryChoice(['asc', 'desc']),
  /** Exact. */
  ...channelResource.filterQuery,
  /** One of the channel's groups, exact. */
  group: queryText,
  /** Part of the name of one of its models. */
  model: queryText,
  /** The id, or part of the name. */
  keyword: queryText,
}

/** See `ChannelReasonParams`. */
const channelReasonParams = z.record(z.string(), z.union([z.string(), z.number()]))

/** Reason as text in English, and as a code with parameters for a sentence in the reader's language (`channelReasonTexts`). */
const reasonFields = {
  reason: z.string(),
  /** Empty without a reason, or for one that an older version wrote as text alone. */
  reason_code: z.string(),
  reason_params: channelReasonParams,
}

/** Planned switches, and who set them. */
const planned = z.object({ off_at: unixSeconds, on_at: unixSeconds, by: z.string() })

/** The state of one key of a channel. The key itself is never on the wire, only its place in the list. */
export const channelKeyHealth = z.object({
  /** Names the key whatever its index is by then, and says nothing of it; absent from nodes of the version before. */
  id: z.string().optional(),
  index: z.number().int(),
  /** First 3 and last 3 characters, to tell keys apart. */
  hint: z.string(),
  status: z.enum(['enabled', 'resting', 'auto-disabled', 'disabled']),
  ...reasonFields,
  /** Unix seconds when it was disabled; 0 for a key that is not. */
  disabled_at: unixSeconds,
  /** Unix seconds of the next attempt; 0 when none is planned. */
  retry_at: unixSeconds,
  /** Times at which it is switched off and on again, as those of a channel; absent where nothing is planned. */
  schedule: planned.optional(),
})

export const channelHealth = z.object({
  /** Condition of the channel, concluded from all that follows. */
  condition: z.enum(channelConditions),
  /** Attempts of the last hour, on all nodes. */
  last_hour: z.object({
    ok: z.number().int(),
    /** Failed by the channel's fault. */
    failed: z.number().int(),
    /** Failed by another's fault, such as the caller's. */
    other_failures: z.number().int(),
    /** Mean time to the first event of those that succeeded; 0 without any. */
    latency_ms: z.number().int(),
  }),
  state: z.enum(['closed', 'open', 'half-open']),
  /** Share of failed attempts in the rolling window, 0 to 1. */
  error_rate: z.number(),
  ...reasonFields,
  retry_at: unixSeconds,
  /** Time of the last success of a call or test, also before a restart; 0 for never. */
  last_success_time: unixSeconds,
  /** Time of the last failure by the channel's fault; 0 for never. */
  last_failure_time: unixSeconds,
  /** The last failure; empty when there was none. */
  last_failure_code: z.string(),
  last_failure_params: channelReasonParams,
  /** No call and no test has ever succeeded. */
  never_answered: z.boolean(),
  /** Latency in ms of the latest attempts, oldest first (at most 30), for the sparkline. */
  recent_ms: z.array(z.number()),
  keys: z.array(channelKeyHealth),
})

/** A channel on the wire. `key` is always empty: provider keys never leave the server. */
export const channel = channelResource.wire.extend({
  key: z.literal(''),
  /**
   * Reason for which the last test failed, with `status` among its parameters where the upstream responded; `null` when it passed.
   */
  test_failure: z.object({ code: z.string(), params: channelReasonParams }).nullable(),
  /**
   * JSON text with status_reason, status_time, reason_code and reason_params; empty when the gateway never changed the
   * status.
   */
  other_info: z.string(),
  health: channelHealth,
  /**
   * Models that no other channel in service serves to some group; 0 in installations too large to count them, absent from nodes of the
   * version before.
   */
  sole_models: z.number().int().optional(),
  /**
   * Times at which the channel is switched off and on again, 0 for neither, and who set them; `null` where nothing is planned, absent
   * from nodes of the version before.
   */
  schedule: planned.nullable().optional(),
  /** What is open at a channel that takes no new calls, on all nodes; `null` for one that does not drain, absent from nodes of the version before. */
  drain: z
    .object({
      since: unixSeconds,
      by: z.string(),
      stays: z.boolean(),
      open_calls: z.number().int(),
      /** Asynchronous tasks that have not ended. */
      open_tasks: z.number().int(),
      /** Nodes that have not said yet what is open there. */
      silent_nodes: z.number().int(),
    })
    .nullable()
    .optional(),
})
/** A channel as administrators see it, without its keys. */
export type Channel = z.output<typeof channel>

/** Ids of a bulk call. */
export const channelIds = z.array(z.number().int().positive()).max(10_000)

/** Fields that are absent, null or an empty text stay as they are, but an empty `new_tag` dissolves the tag. */
export const channelTagBody = z.object({
  tag: z.string(),
  new_tag: z.string().nullish(),
  priority: z.number().int().nullish(),
  weight: z.number().int().nullish(),
  model_mapping: z.string().nullish(),
  param_override: z.string().nullish(),
  /** Comma lists. */
  models: z.string().nullish(),
  groups: z.string().nullish(),
})
/** Changes that all channels of a tag get. */
export type ChannelTagBody = z.output<typeof channelTagBody>

/** Ways of combining the names of a bulk change with those that a channel has. */
export const listChangeModes = ['add', 'remove', 'replace'] as const
export type ListChangeMode = (typeof listChangeModes)[number]

const listChange = z.object({
  mode: z.enum(listChangeModes),
  /** A comma list. */
  names: z.string(),
})
/** A change of the models or groups of many channels. */
export type ListChange = z.output<typeof listChange>

/** Changes that a bulk call makes to every channel it names; an absent field stays as it is. */
export const channelBatchBody = z.object({
  ids: channelIds,
  status: z.number().int().optional(),
  priority: z.number().int().optional(),
  weight: z.number().int().optional(),
  models: listChange.optional(),
  group: listChange.optional(),
  /** Empty takes the tag off. */
  tag: z.string().optional(),
  /** Proxy, a member of `setting`; empty for none. */
  proxy: z.string().optional(),
})
/** Changes that several channels get at once. */
export type ChannelBatchBody = z.output<typeof channelBatchBody>

/** The fields of a channel that a bulk change may set. */
export const channelBatchFields = ['status', 'priority', 'weight', 'models', 'group', 'tag', 'proxy'] as const

/** Effect of a bulk change on one channel. */
export const channelBatchPreview = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Reason for which the channel would be refused; empty when it would not. */
  message: z.string(),
  /** Only fields that change: the values, or names of a list, that it loses and gains. */
  changes: z.array(
    z.object({
      field: z.enum(channelBatchFields),
      lost: z.array(z.string()),
      gained: z.array(z.string()),
    }),
  ),
})
/** Effect of a bulk change on one channel. */
export type ChannelBatchPreview = z.output<typeof channelBatchPreview>

/** Progress of a run over many channels, or the result of the last one. */
export const channelRun = z.object({
  running: z.boolean(),
  /** 0 before the first run of this process. */
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  cancelled: z.boolean(),
  /** 0 before the first run, and while one is running for `finished_at`. */
  started_at: unixSeconds,
  finished_at: unixSeconds,
  /** The person who started it, `system` for a scheduled run. */
  started_by: z.string(),
  /** What the run took out of service: a channel, or one of its keys; absent from nodes of the version before. */
  taken_out: z
    .array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        /** The key that alone is out; `null` for the complete channel. */
        key: z.object({ index: z.number().int(), hint: z.string() }).nullable(),
        reason_code: z.string(),
        reason_params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    )
    .optional(),
  /** Channels with a failed test or without balance that stay in service, as calls of the last hour succeed there. */
  spared: z.array(z.object({ id: z.number().int(), name: z.string() })).optional(),
})
export type TakenOut = NonNullable<z.output<typeof channelRun>['taken_out']>[number]
/** Progress of a run over all channels. */
export type ChannelRun = z.output<typeof channelRun>
