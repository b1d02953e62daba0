import { z } from 'zod'
import {
  listTotal,
  oneBasedPage,
  optionalPageSize,
  pageOf,
  pageSize,
  queryChoice,
  queryFlag,
  queryInteger,
  queryText,
  queryWrittenText,
  quota,
  readerClock,
  unixSeconds,
} from '../wire.ts'
import { del, get, post } from './define.ts'
import { zonedWindow } from './pricing.ts'

/** A usage log row on the wire. Users see it without channel name, without cost and without `admin_info` in `other`. */
export const logEntry = z.object({
  id: z.number().int(),
  created_at: unixSeconds,
  type: z.number().int(),
  user_id: z.number().int(),
  username: z.string(),
  token_id: z.number().int(),
  token_name: z.string(),
  model_name: z.string(),
  quota,
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  /** Whole seconds. */
  use_time: z.number().int(),
  is_stream: z.boolean(),
  channel: z.number().int(),
  channel_name: z.string(),
  group: z.string(),
  content: z.string(),
  request_id: z.string(),
  /** JSON text, see `logOther`; empty without details. */
  other: z.string(),
  /** Cost of the call for the operator; `null` where no list price is known. Only administrators see it: absent for users. */
  cost: quota.nullable().optional(),
  /** Correction of the charge since; below zero for a credit. Absent without a correction. */
  corrected: quota.optional(),
  /** Credited for the call of good will. Absent without. */
  credited: quota.optional(),
})
/** A row of the usage log on the wire. */
export type LogEntry = z.output<typeof logEntry>

/**
 * The parts of a consumption row's charge in `other` (spec operations §3.5). Amounts are in quota units, ratios are
 * plain numbers.
 */
export const logOther = z
  .object({
    model_ratio: z.number(),
    /** Currency per call; -1 when the call was priced by ratio. */
    model_price: z.number(),
    /** Ratio of images that were charged by the piece: `model_price` is that of one, after all following factors. */
    image_price: z.number(),
    image_count: z.number(),
    image_size: z.string(),
    image_quality: z.string(),
    image_size_ratio: z.number(),
    image_quality_ratio: z.number(),
    /** Ratio of a video: `model_price` is its complete price: the price of its unit times all following factors. */
    video_price: z.number(),
    /** `second` or `call`. */
    video_unit: z.string(),
    video_seconds: z.number(),
    video_resolution: z.string(),
    video_resolution_ratio: z.number(),
    /** Ratio for a video with sound. */
    video_sound_ratio: z.number(),
    /** Tools that the vendor ran: the number of runs, and the currency per 1,000 calls. */
    tool_calls: z.record(z.string(), z.object({ calls: z.number(), price: z.number() })),
    /** Factors of the service tier and region of the call on every price of a token, where they are not the default. */
    tier_ratios: z.record(z.string(), z.number()),
    /** The factors of the prompt's length on the prices of its tokens. */
    length_step: z.object({
      above: z.number(),
      input: z.number(),
      output: z.number(),
      cached: z.number().optional(),
    }),
    /** The time of day whose ratio is in the model's ratio or price: the call was accepted within it. */
    price_window: zonedWindow,
    /**
     * Time when the call was accepted, which decides its price by time: in rows whose price differs by time, and of tasks, which are
     * charged when they end.
     */
    accepted_at: z.number(),
    /** Quota units per currency unit when the call was priced; only with a price per call, or of tools. */
    quota_per_unit: z.number(),
    completion_ratio: z.number(),
    group_ratio: z.number(),
    user_group_ratio: z.number(),
    cache_tokens: z.number(),
    cache_ratio: z.number(),
    /** Written to caches, for five minutes and for an hour together; rows without the pairs below have no hours. */
    cache_creation_tokens: z.number(),
    cache_creation_ratio: z.number(),
    cache_creation_tokens_5m: z.number(),
    cache_creation_ratio_5m: z.number(),
    cache_creation_tokens_1h: z.number(),
    cache_creation_ratio_1h: z.number(),
    reasoning_tokens: z.number(),
    /** First response in ms; -1000 when the call was not streamed. */
    frt: z.number(),
    is_model_mapped: z.boolean(),
    is_system_prompt_overwritten: z.boolean(),
    upstream_model_name: z.string(),
    reasoning_effort: z.string(),
    /** The upstream was called in Anthropic's form. */
    claude: z.boolean(),
    /** All input, cached tokens included; in rows with `claude`. */
    input_tokens_total: z.number(),
    ws: z.boolean(),
    /** Fresh input and output that is neither audio nor image; in rows that have either. */
    text_input: z.number(),
    text_output: z.number(),
    audio: z.boolean(),
    audio_input: z.number(),
    audio_output: z.number(),
    /** Audio input in text input. */
    audio_ratio: z.number(),
    /** Audio output in audio input; absent: it was charged as text output. */
    audio_completion_ratio: z.number(),
    image: z.boolean(),
    image_input: z.number(),
    image_output: z.number(),
    /** Image input in text input. */
    image_ratio: z.number(),
    /** Image output in image input; absent: it was charged as text output. */
    image_completion_ratio: z.number(),
    /** The upstream sent no usage, or an implausible one: counts are the gateway's own. */
    estimated: z.boolean(),
    /** The upstream's counts, where they were more than the call can have used. */
    usage_disbelieved: z.object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      reasoning_tokens: z.number(),
    }),
    /**
     * Reason for which the call ended early: `client_gone`, `upstream_cut`, `upstream_error`, `timeout`, `insufficient_quota`,
     * `output_limit`, `sensitive_words`.
     */
    ended: z.string(),
    /** Quota that the call cost beyond its accounts' balances: it was charged down to the balance. */
    shortfall: z.number(),
    /** The upstream or the gateway ended the call early: its price per call is not charged. */
    unfinished: z.boolean(),
    /**
     * The response of a failed call: its status, and the gateway's own code for it with the parameters of its sentence.
     */
    error: z.object({
      code: z.string(),
      status: z.number(),
      reason: z.string().optional(),
      params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    }),
    /** Milliseconds since the call arrived, for the waterfall. */
    timing: z.object({
      routed: z.number(),
      sent: z.number(),
      first_token: z.number(),
      done: z.number(),
    }),
    admin_info: z.object({
      /** Channel ids tried, in order, as text. */
      use_channel: z.array(z.string()),
      attempts: z.array(
        z.object({
          channel: z.number(),
          key: z.number(),
          ms: z.number(),
          status: z.number(),
          kind: z.string(),
          /** Message of the upstream about its failure, without keys and addresses. */
          said: z.string().optional(),
        }),
      ),
      /** The key of the call's session, and the channel that the session prefers. */
      affinity: z.object({ by: z.string(), channel: z.number() }).optional(),
    }),
  })
  .partial()
export type LogOther = z.output<typeof logOther>

const filters = {
  type: queryInteger,
  token_name: queryText,
  /** One key: several may have one name. */
  token_id: queryInteger,
  model_name: queryWrittenText,
  start_timestamp: queryInteger,
  end_timestamp: queryInteger,
  group: queryText,
  request_id: queryText,
  /** Code of a failed call, the gateway's own. Only the newest thousands of failures are searched. */
  reason: queryText,
}
const adminFilters = {
  ...filters,
  username: queryText,
  /** Which served the call, or was tried last. */
  channel: queryInteger,
  /** Which the call tried, also when another one served it. */
  tried_channel: queryInteger,
  /** Only calls that were served although an attempt had failed. */
  rescued: queryFlag,
}
/** Figures by which rows are ranked. */
export const logTopFigures = ['quota', 'duration'] as const
const ranking = { by: queryChoice(logTopFigures), size: optionalPageSize }

/** Rows of the log with the largest figures, the largest first. */
export const logTop = z.object({
  items: z.array(logEntry),
  /** Set when every row of the filter was searched. */
  complete: z.boolean(),
  /** Otherwise about the time of the oldest row that was. */
  since: unixSeconds,
})
export type LogTop = z.output<typeof logTop>

const paging = { p: oneBasedPage, page_size: pageSize }

/** Calls under a filter over time, in steps of one length by the reader’s clock: a day on which clocks change is shorter or longer. */
export const logHistogram = z.object({
  step_seconds: z.number().int(),
  steps: z.array(
    z.object({
      /** Its start. */
      at: unixSeconds,
      /** Charged calls. */
      calls: z.number().int(),
      errors: z.number().int(),
    }),
  ),
})
export type LogHistogram = z.output<typeof logHistogram>

/** Failed calls that have reason, model, user and channel in common; users see them without channel. */
export const failureGroup = z.object({
  /** The gateway's own code; empty where the row does not tell. */
  reason: z.string(),
  model_name: z.string(),
  user_id: z.number().int(),
  username: z.string(),
  channel: z.number().int(),
  channel_name: z.string(),
  count: z.number().int(),
  /** Time of the newest of them. */
  last_at: unixSeconds,
})
export type FailureGroup = z.output<typeof failureGroup>

/** Failures under a filter by what they have in common, most first. */
export const logFailures = z.object({
  groups: z.array(failureGroup),
  /** Failures in all groups, those that are not listed too. */
  total: z.number().int(),
  /** Set when these are all of the filter's failures; unset when they are its newest ones. */
  complete: z.boolean(),
})
export type LogFailures = z.output<typeof logFailures>

export const logStat = z.object({ quota, rpm: z.number().int(), tpm: z.number().int() })

/** The number of a type, or the start of the text of a row that is not a charge. */
const keyword = z.object({ keyword: queryText })

/** Beside the newest hundred: the number of matches among the searched rows, and whether that was the complete log. */
const found = z.object({ total: z.number().int(), complete: z.boolean() })

/** The current or last clearing of the log since the server started. */
export const logClearing = z.object({
  running: z.boolean(),
  /** Rows before this are cleared; 0 when there was none. */
  target_timestamp: unixSeconds,
  /** Rows deleted so far. */
  deleted: z.number().int(),
  started_at: unixSeconds,
  /** 0 while it runs. */
  ended_at: unixSeconds,
  cancelled: z.boolean(),
  /** Set for a clearing that failed; the next one clears the rest. */
  failed: z.boolean(),
})
/** Progress of a clearing of old rows. */
export type LogClearing = z.output<typeof logClearing>

export const logs = {
  list: get('admin', '/api/log/', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ ...adminFilters, ...paging }),
    data: pageOf(logEntry),
  }),
  listSelf: get('user', '/api/log/self', {
    recentProof: 'reads',
    query: z.object({ ...filters, ...paging }),
    data: pageOf(logEntry),
  }),
  stat: get('admin', '/api/log/stat', {
    part: 'log',
    recentProof: 'reads',
    query: z.object(adminFilters),
    data: logStat,
  }),
  /** The rows under the filter that cost most, or took longest: at most a hundred, over at most 31 days. */
  top: get('admin', '/api/log/top', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ ...adminFilters, ...ranking }),
    data: logTop,
  }),
  topSelf: get('user', '/api/log/self/top', {
    recentProof: 'reads',
    query: z.object({ ...filters, ...ranking }),
    data: logTop,
  }),
  statSelf: get('user', '/api/log/self/stat', {
    recentProof: 'reads',
    query: z.object(filters),
    data: logStat,
  }),
  /** Counts for a chart: over the filter's times, at most a year; the last day without a start. */
  histogram: get('admin', '/api/log/histogram', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ ...adminFilters, ...readerClock }),
    data: logHistogram,
  }),
  histogramSelf: get('user', '/api/log/self/histogram', {
    recentProof: 'reads',
    query: z.object({ ...filters, ...readerClock }),
    data: logHistogram,
  }),
  /** Until when the request of a failed call is kept for a replay; 0 where it is not. */
  retained: get('admin', '/api/log/kept', {
    part: 'log',
    recentProof: 'reads',
    query: z.object({ request_id: queryText }),
    data: z.object({ expires_at: unixSeconds }),
  }),
  failures: get('admin', '/api/log/failures', {
    part: 'log',
    recentProof: 'reads',
    query: z.object(adminFilters),
    data: logFailures,
  }),
  failuresSelf: get('user', '/api/log/self/failures', {
    recentProof: 'reads',
    query: z.object(filters),
    data: logFailures,
  }),
  search: get('admin', '/api/log/search', {
    part: 'log',
    recentProof: 'reads',
    query: keyword,
    data: z.array(logEntry),
    extra: found,
  }),
  searchSelf: get('user', '/api/log/self/search', {
    recentProof: 'reads',
    query: keyword,
    data: z.array(logEntry),
    extra: found,
  }),
  /**
   * The calls of one key, for a caller with that key: the newest thousand, or a page where a size is named. Key checkers in a browser have
   * the key in the query.
   */
  listOfKey: get('relay-key', '/api/log/token', {
    recentProof: 'reads',
    keyInQuery: true,
    query: z.object({ ...filters, p: oneBasedPage, page_size: optionalPageSize, key: queryText }),
    data: z.array(logEntry),
    extra: listTotal,
  }),
  /** The filtered log as CSV, newest first, times in the caller's time zone. */
  export: get('admin', '/api/log/export', {
    part: 'log',
    // The audit log records who took it along.
    recentProof: 'operates',
    query: z.object({ ...adminFilters, ...readerClock }),
    response: 'stream',
  }),
  exportSelf: get('user', '/api/log/self/export', {
    recentProof: 'reads',
    query: z.object({ ...filters, ...readerClock }),
    response: 'stream',
  }),
  /** Deletes older rows of every type; returns how many, at its end. */
  clear: del('admin', '/api/log/', {
    part: 'log-clearing',
    recentProof: 'operates',
    query: z.object({ target_timestamp: queryInteger }),
    data: z.number().int(),
  }),
  clearProgress: get('admin', '/api/log/clear/progress', {
    part: 'log',
    recentProof: 'reads',
    data: logClearing,
  }),
  /** Ends a clearing between two of its steps; deleted rows stay deleted. */
  cancelClear: post('admin', '/api/log/clear/cancel', {
    part: 'log-clearing',
    recentProof: 'operates',
    data: logClearing,
  }),
}
