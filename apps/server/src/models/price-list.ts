import { type EndpointType, type ModelFacts, modelFacts, type PricingRow } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import {
  type CallKind,
  isPriced,
  isServed,
  type PriceSettings,
  pricedName,
  termsOf,
} from '../billing/pricing/price-table.ts'
import type { TokenTerms } from '../billing/pricing/price-terms.ts'
import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import { endpointTypesOf } from './endpoint-types.ts'
import { taskModels } from './task-models.ts'

/** The reader of a price list. */
export interface PriceListReader {
  /** Groups that the reader's calls may use. */
  readonly groups: ReadonlySet<string>
  /** Shows the groups of others too. */
  readonly seesAllGroups: boolean
  /** Accepts unpriced models. */
  readonly acceptsUnpriced: boolean
  /** Set for a reader without an account: nothing is charged, so a price that nobody set is not listed. */
  readonly isVisitor: boolean
  /** Sets prices: sees the models whose calls are refused for want of one, too. */
  readonly setsPrices?: boolean
}

type Price = Omit<PricingRow, 'enable_groups' | 'available' | 'supported_endpoint_types'>

interface Listed {
  readonly price: Price
  /** The operator set its price. */
  readonly isPriced: boolean
  /** Decides whether its calls are served: to those who accept models without a price, or to others. */
  readonly isServed: (acceptsUnset: boolean) => boolean
  readonly groups: readonly string[]
  readonly endpoints: readonly EndpointType[]
}

interface PriceList {
  readonly snapshot: ChannelSnapshot
  readonly models: readonly Listed[]
  readonly views: Map<string, readonly PricingRow[]>
}

/** More combinations of groups occur only where an operator made a group for each user. */
const storedViews = 50

const lists = new WeakMap<PriceSettings, PriceList>()

/**
 * The prices of the models that the reader's calls may use at some enabled channel, by name. Each is worked out once for a
 * state of settings and channels, and once for each kind of reader.
 */
export function priceList(
  settings: PriceSettings,
  snapshot: ChannelSnapshot,
  reader: PriceListReader,
): readonly PricingRow[] {
  const list = currentList(settings, snapshot)
  if (list.views.size >= storedViews) list.views.clear()
  return getOrInsert(list.views, viewKey(reader), () =>
    list.models
      .filter((model) => reader.setsPrices || model.isServed(reader.acceptsUnpriced))
      .map((model) => rowFor(reader, model)),
  )
}

function currentList(settings: PriceSettings, snapshot: ChannelSnapshot): PriceList {
  const known = lists.get(settings)
  if (known?.snapshot === snapshot) return known
  const list = { snapshot, models: listModels(settings, snapshot), views: new Map() }
  lists.set(settings, list)
  return list
}

function viewKey({ groups, seesAllGroups, acceptsUnpriced, isVisitor, setsPrices = false }: PriceListReader) {
  return JSON.stringify([seesAllGroups, acceptsUnpriced, isVisitor, setsPrices, ...[...groups].sort()])
}

function listModels(settings: PriceSettings, snapshot: ChannelSnapshot): Listed[] {
  const groupsOf = new Map<string, string[]>()
  const endpoints = endpointTypesOf(snapshot.channels)
  const tasks = taskModels(snapshot)
  const groups = new Set(snapshot.channels.flatMap((channel) => channel.groups))
  for (const group of [...groups].sort())
    for (const model of snapshot.modelsOf(group)) getOrInsert(groupsOf, model, () => []).push(group)
  return [...groupsOf]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([model, groups]) => ({
      price: priceOf(settings, model),
      ...servingOf(settings, model, tasks.has(model) ? 'task' : 'call'),
      groups,
      endpoints: endpoints.get(model) ?? [],
    }))
}

function servingOf(
  settings: PriceSettings,
  model: string,
  kind: CallKind,
): Pick<Listed, 'isPriced' | 'isServed'> {
  return {
    isPriced: isPriced(settings, model, kind),
    isServed: (acceptsUnset) => isServed(settings, model, acceptsUnset, kind),
  }
}

function priceOf(settings: PriceSettings, model: string): Price {
  const terms = termsOf(settings, pricedName(model), '')
  const isPerCall = terms.kind === 'per-call'
  return {
    model_name: model,
    quota_type: isPerCall ? 1 : 0,
    model_ratio: isPerCall ? 0 : terms.modelRatio,
    completion_ratio: isPerCall ? 0 : terms.completionRatio,
    model_price: isPerCall ? terms.modelPrice : 0,
    ...(isPerCall && videoOf(settings, pricedName(model))),
    ...(!isPerCall && ratiosOf(settings, pricedName(model), terms)),
    ...(!isPerCall && surchargesOf(terms)),
    ...(terms.times !== undefined && { time_prices: terms.times }),
    ...publishedFacts(modelFacts(model)),
  }
}

/** Writes the facts that the provider publishes of a model; none for one outside the table. */
function publishedFacts(facts: ModelFacts | undefined) {
  if (facts === undefined) return { owner_by: '' }
  const { vendor, contextSize, maxOutputTokens, capabilities, released } = facts
  return {
    owner_by: vendor,
    ...(contextSize !== undefined && { context_size: contextSize }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    capabilities: [...capabilities],
    ...(released !== undefined && { released }),
  }
}

function videoOf({ VideoPrice }: PriceSettings, model: string): Partial<Price> {
  const rule = Object.hasOwn(VideoPrice, model) ? VideoPrice[model] : undefined
  return rule === undefined ? {} : { video: { ...rule, resolutions: { ...rule.resolutions } } }
}

/** Sound and images are named where the operator priced them apart from text. */
function ratiosOf(settings: PriceSettings, model: string, terms: TokenTerms): Partial<Price> {
  const { audioCompletionRatio, imageCompletionRatio } = terms
  const hears = Object.hasOwn(settings.AudioRatio, model) || audioCompletionRatio !== undefined
  const sees = Object.hasOwn(settings.ImageRatio, model) || imageCompletionRatio !== undefined
  return {
    cache_ratio: terms.cacheReadRatio,
    create_cache_ratio: terms.cacheWriteRatio,
    create_cache_1h_ratio: terms.cacheWrite1hRatio,
    ...(hears && { audio_ratio: terms.audioRatio }),
    ...(audioCompletionRatio !== undefined && { audio_completion_ratio: audioCompletionRatio }),
    ...(sees && { image_ratio: terms.imageRatio }),
    ...(imageCompletionRatio !== undefined && { image_completion_ratio: imageCompletionRatio }),
  }
}

/** Returns the charges beside the tokens, and those that make tokens dearer. */
function surchargesOf({ tools = {}, tiers = {}, steps = [] }: TokenTerms): Partial<Price> {
  return {
    ...(Object.keys(tools).length > 0 && { tool_prices: { ...tools } }),
    ...(Object.keys(tiers).length > 0 && { tier_ratios: { ...tiers } }),
    ...(steps.length > 0 && { length_steps: steps.map((step) => ({ ...step })) }),
  }
}

function rowFor(reader: PriceListReader, listed: Listed): PricingRow {
  const { price, isPriced, groups, endpoints } = listed
  const open = groups.filter((group) => reader.groups.has(group))
  const isServed = listed.isServed(reader.acceptsUnpriced)
  const isCharged = isServed && !reader.isVisitor
  return {
    ...(isPriced ? price : isCharged ? { ...price, unpriced: true } : withoutPrice(price)),
    enable_groups: reader.seesAllGroups ? [...groups] : open,
    available: open.length > 0 && isServed,
    supported_endpoint_types: [...endpoints],
  }
}

/** The entry of an unpriced model, without a price to show. */
function withoutPrice({ model_name }: Price): Price {
  return {
    model_name,
    quota_type: 0,
    model_ratio: 0,
    completion_ratio: 0,
    model_price: 0,
    unpriced: true,
    ...publishedFacts(modelFacts(model_name)),
  }
}
