import type { ServedModel } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { defaultCompletionRatio } from '../billing/pricing/completion-ratio.ts'
import { listPriceOf, modelPriceOf } from '../billing/pricing/model-price.ts'
import {
  type CallKind,
  entryNameOf,
  groupRatioOf,
  isPriced,
  isServed,
  type PriceSettings,
  pricedName,
} from '../billing/pricing/price-table.ts'
import {
  inheritedEntriesOf,
  listEntriesOf,
  ownEntriesOf,
} from '../billing/pricing/surcharges/price-entries.ts'
import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import { type PriceListReader, priceList } from './price-list.ts'
import { taskModels } from './task-models.ts'

const operator: PriceListReader = {
  groups: new Set(),
  seesAllGroups: true,
  acceptsUnpriced: false,
  isVisitor: false,
  setsPrices: true,
}

/** Every model that an enabled channel serves, by name, as a person who sets prices needs it. */
export function servedModels(settings: PriceSettings, snapshot: ChannelSnapshot): readonly ServedModel[] {
  const channels = channelsByModel(snapshot)
  return priceList(settings, snapshot, operator).map((listed) => {
    const { enable_groups: groups, available: _available, ...row } = listed
    const listPrice = listPriceOf(row.model_name)
    const timesOf = entryNameOf(settings.TimePrice, pricedName(row.model_name))
    return {
      ...row,
      channels: channels.get(row.model_name) ?? [],
      price: modelPriceOf(settings, row.model_name),
      ...(listPrice !== undefined && { list_price: listPrice }),
      ...(timesOf?.endsWith('*') && { times_of: timesOf }),
      entries: ownEntriesOf(settings, row.model_name),
      inherited_entries: inheritedEntriesOf(settings, row.model_name),
      list_entries: listEntriesOf(row.model_name),
      group_ratios: Object.fromEntries(groups.map((group) => [group, groupRatioOf(settings, group)])),
      default_completion_ratio: defaultCompletionRatio(pricedName(row.model_name)),
    }
  })
}

/** Served models without a price of the operator's. */
export function unpricedModels(settings: PriceSettings, snapshot: ChannelSnapshot): ReadonlySet<string> {
  const names = [...channelsByModel(snapshot).keys()]
  const tasks = taskModels(snapshot)
  return new Set(names.filter((model) => !isPriced(settings, model, kindOf(model, tasks))))
}

/** Those of the models whose calls are served: they have the price that such calls need, or need none. */
export function servedOf(
  models: readonly string[],
  settings: PriceSettings,
  snapshot: ChannelSnapshot,
  acceptsUnset: boolean,
): string[] {
  const tasks = taskModels(snapshot)
  return models.filter((model) => isServed(settings, model, acceptsUnset, kindOf(model, tasks)))
}

function kindOf(model: string, tasks: ReadonlySet<string>): CallKind {
  return tasks.has(model) ? 'task' : 'call'
}

function channelsByModel(snapshot: ChannelSnapshot): ReadonlyMap<string, ServedModel['channels']> {
  const found = new Map<string, ServedModel['channels']>()
  for (const { id, name, status, models } of snapshot.channels)
    if (status === 'enabled')
      for (const model of models) getOrInsert(found, model, () => []).push({ id, name })
  return found
}
