import { z } from 'zod'
import { queryChoice, queryFlag, queryInteger, queryWrittenText, quota } from '../../wire.ts'
import { get } from '../define.ts'
import { modelPrice } from '../model-price.ts'
import { timeWindows, zonedWindow } from '../pricing.ts'

export const marginKinds = ['model', 'channel', 'user'] as const
/** Dimension that margins are summed up by. */
export type MarginKind = (typeof marginKinds)[number]

const figures = {
  /** Charged calls. */
  calls: z.number().int(),
  /** Quota that they were charged. */
  quota,
  /** Those whose cost is known, and what these were charged: the margin is `costed_quota - cost`. */
  costed_calls: z.number().int(),
  costed_quota: quota,
  /** Quota that they cost the operator. */
  cost: quota,
}

const marginRow = z.object({
  /** Empty but for a model. */
  model_name: z.string(),
  /** Id of a channel or user; 0 for a model. */
  id: z.number().int(),
  /** Name of a channel or user that still exists. */
  name: z.string(),
  ...figures,
})
/** Charges and costs of the calls of one model, channel or user. */
export type MarginRow = z.output<typeof marginRow>

const marginFigures = z.object(figures)
export type MarginFigures = z.output<typeof marginFigures>

const margin = z.object({ total: marginFigures, rows: z.array(marginRow) })
/** Charges beside costs. */
export type Margin = z.output<typeof margin>

/** The cost of a model at one channel that serves it. Ratios are those of `pricingRow`, the channel's factor included. */
export const modelCost = z.object({
  model_name: z.string(),
  channel: z.number().int(),
  channel_name: z.string(),
  /** The name of the model at the upstream, which has the cost. */
  upstream_model: z.string(),
  /** The channel's factor on list prices. */
  cost_factor: z.number(),
  /** Source of the cost; `unknown`: neither the operator nor the table of models has one, and the ratios are 0. */
  source: z.enum(['list', 'option', 'unknown']),
  /** 0: by tokens; 1: by call. */
  quota_type: z.number().int(),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  model_price: z.number(),
  /** The figure of the operator for this name, before the factor: currency per million tokens, or per call; empty without one. */
  own_cost: modelPrice.optional(),
  /** Factors of the operator on the cost of this name by time; absent without any. */
  own_times: timeWindows.optional(),
  /** The vendor's list price of every kind of token, before the factor; absent for a model outside the table of models. */
  list_cost: modelPrice.optional(),
  /** Groups of the channel that are charged less than the cost of input, cached input or output, or of a call. */
  losing_groups: z.array(z.string()),
  /**
   * Those of these groups that lose at some times only, by the periods of price and cost that meet then; a period that is absent: outside
   * of all. Groups that lose at all times stand in `losing_groups` alone. Absent from nodes of the version before.
   */
  losing_times: z
    .array(
      z.object({
        groups: z.array(z.string()),
        price_window: zonedWindow.optional(),
        cost_window: zonedWindow.optional(),
      }),
    )
    .optional(),
})
/** Times at which a price is below its cost. */
export type LosingTime = NonNullable<z.output<typeof modelCost>['losing_times']>[number]
/** Cost of a model for the operator at one channel. */
export type ModelChannelCost = z.output<typeof modelCost>

/** Costs of calls for the operator. */
export const margins = {
  /** Over the hours of a range; without one the last 30 days, at most a year. Those charged most come first. */
  list: get('admin', '/api/data/margin', {
    part: ['money', 'prices'],
    recentProof: 'reads',
    query: z.object({
      /** Dimension of the sums; the model when absent. */
      by: queryChoice(marginKinds),
      start_timestamp: queryInteger,
      end_timestamp: queryInteger,
      /** One channel or user alone, or one model. */
      id: queryInteger,
      model_name: queryWrittenText,
      /** Most rows; 100 when absent, at most 1,000. The total is of all. */
      limit: queryInteger,
    }),
    data: margin,
  }),
  /** The costs of all models at the enabled channels that serve them, by name of the model and channel. */
  costs: get('admin', '/api/data/costs', {
    part: ['money', 'prices'],
    recentProof: 'reads',
    query: z.object({
      /** Those alone that some group is charged less for. */
      losing: queryFlag,
      model_name: queryWrittenText,
      channel: queryInteger,
    }),
    data: z.array(modelCost),
  }),
}
