import { z } from 'zod'
import { consentFields } from '../consent.ts'
import { emptyData, unixSeconds } from '../wire.ts'
import { get, post, put } from './define.ts'
import { chargesBeside, pricingRow, timeWindows } from './pricing.ts'

const amount = z.number().min(0).max(1_000_000_000)

/**
 * The price of a model as an operator writes it, before the ratio of any group: currency per million tokens, or per call.
 * What is absent follows from the default ratios of the model's family.
 */
export const modelPrice = z.object({
  /** Per call, or per second of a video that is priced by seconds; it takes precedence over the others. */
  call: amount.optional(),
  input: amount.optional(),
  output: amount.optional(),
  cache_read: amount.optional(),
  /** Kept for five minutes. */
  cache_write: amount.optional(),
  audio_input: amount.optional(),
  audio_output: amount.optional(),
  image_input: amount.optional(),
  image_output: amount.optional(),
})
/** Currency per million tokens, or per call. */
export type ModelPrice = z.output<typeof modelPrice>

const { tools, tiers, steps, video } = chargesBeside

/** Charges of a model beside the prices of its tokens; absent ones are none. */
export const priceEntries = z.object({ tools, tiers, steps, video }).partial()
/** Charges beside tokens, by their kind. */
export type PriceEntries = z.output<typeof priceEntries>

/** A model that an enabled channel serves, for the person who sets its price. */
export const servedModel = pricingRow.omit({ enable_groups: true, available: true }).extend({
  /** The enabled channels that serve it. */
  channels: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** The part of the price that the operator set; empty without a price. */
  price: modelPrice,
  /** Price of the vendor, from the table of models; absent for a model outside of it. */
  list_price: modelPrice.optional(),
  /** `time_prices` come from an entry for the beginnings of names, such as `gpt-*`: this one. */
  times_of: z.string().optional(),
  /** Charges beside tokens of entries of this model alone. */
  entries: priceEntries,
  /** Those that hold where it has no entry of its own: of entries for the beginnings of names, such as `gpt-*`. */
  inherited_entries: priceEntries,
  /** Those of the vendor, from the table of models. */
  list_entries: priceEntries,
  /** The ratio of each group that reaches the model. */
  group_ratios: z.record(z.string(), z.number()),
  /** An output token costs so many input tokens while the operator sets no price for output. */
  default_completion_ratio: z.number(),
})
/** A served model with its price, its vendor's price and its channels. */
export type ServedModel = z.output<typeof servedModel>

/** A new price of one model, as it is saved and as the question before it is put: an absent part stays as it is. */
export const priceEdit = z.object({
  model_name: z.string().min(1).max(200),
  price: modelPrice.nullable(),
  /** Prices by time of this model; `null` removes them. */
  times: timeWindows.nullable().optional(),
  /** Charges beside tokens of this model alone; `null` removes its entry of a kind. */
  entries: z
    .object({
      tools: tools.nullable(),
      tiers: tiers.nullable(),
      steps: steps.nullable(),
      video: video.nullable(),
    })
    .partial()
    .optional(),
})
/** A new price of one model. */
export type PriceEdit = z.output<typeof priceEdit>

/** A served model without a price whose calls were refused for that in the last 24 hours. */
export const refusedModel = z.object({
  model_name: z.string(),
  /** Refused calls. */
  count: z.number().int(),
  /** Time of the last refusal. */
  last_at: unixSeconds,
})

export type RefusedModel = z.output<typeof refusedModel>

/** Upstream names of one model: a channel has one each. */
const maxCosts = 100

export const modelPrices = {
  /** Sorted by name. */
  list: get('admin', '/api/models/prices', {
    part: ['prices', 'channels'],
    recentProof: 'reads',
    data: z.array(servedModel),
  }),
  /** Replaces the price of one model; `null` removes it. Other models keep theirs. */
  save: put('admin', '/api/models/price', {
    part: 'prices',
    recentProof: 'operates',
    body: priceEdit.extend({
      /** The price that the change was made on: refused with `edit_conflict` where the model has another by now. */
      base: modelPrice.optional(),
      /** The times that the change was made on, `null` for none; refused as `base` is. */
      times_base: timeWindows.nullable().optional(),
      /** The entries that the change was made on; refused as `base` is. */
      entries_base: priceEntries.optional(),
      /** Costs for the operator, by the name of the model at its upstream; absent ones stay. */
      costs: z
        .array(
          z.object({
            upstream_model: z.string().min(1).max(200),
            /** `null` removes the figure: the vendor's list price is the cost. */
            price: modelPrice.nullable(),
            /** The figure that the change was made on; refused as `base` is. */
            base: modelPrice.optional(),
            /** Factors on the cost by time; `null` removes them, absent they stay. */
            times: timeWindows.nullable().optional(),
            /** The times that the change was made on, `null` for none; refused as `base` is. */
            times_base: timeWindows.nullable().optional(),
          }),
        )
        .max(maxCosts)
        .optional(),
      ...consentFields,
    }),
    data: emptyData,
  }),
  /** Most refused calls first. */
  refused: get('admin', '/api/models/refused', {
    part: ['prices', 'log'],
    recentProof: 'reads',
    data: z.array(refusedModel),
  }),
}

/** Body of a save, without the consent that a second try adds. */
export type PriceSave = z.input<typeof modelPrices.save.body>

const modelName = z.string().trim().min(1).max(200)

const renaming = { model_name: modelName, new_name: modelName }

/** Occurrences of a model's name that a renaming changes. */
export const modelRenaming = z.object({
  /** Channels that serve it. They ask their upstreams for the name of before. */
  channels: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** Options with an entry of its name. */
  options: z.array(z.string()),
  /** Keys that may use it by name. */
  tokens: z.number().int(),
})
export type ModelRenaming = z.output<typeof modelRenaming>

/** One name of a model for another, wherever it stands. What is past keeps its name: logs, statistics, tasks. */
export const modelNames = {
  /** Previews a renaming; nothing changes. */
  preview: post('admin', '/api/models/rename/preview', {
    part: 'prices',
    recentProof: 'reads',
    body: z.object(renaming),
    data: modelRenaming,
  }),
  /** All of it in one step, or nothing. It moves prices: root's, unless root lets administrators set them. */
  rename: post('admin', '/api/models/rename', {
    part: 'prices',
    partForEffect: { part: 'channels', effect: 'changes-a-channel' },
    recentProof: 'operates',
    body: z.object({ ...renaming, ...consentFields }),
    data: modelRenaming,
  }),
}
