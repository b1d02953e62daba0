import type { ChangedCharge, ChannelStops, ChannelStopsBody } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { estimatedCharge } from '../billing/pricing/changes/estimated-charge.ts'
import { priceEditChanges } from '../billing/pricing/changes/price-edit.ts'
import { findPrice } from '../billing/pricing/price-table.ts'
import {
  type ChannelStopsDependencies,
  callersOf,
  channelStops,
  lastHour,
  listedModels,
  maxListed,
  type StoppedModel,
  servedByGroup,
} from '../channels/manage/channel-stops.ts'
import { isRoutable } from '../channels/routing/channel-snapshot.ts'
import type { ChannelSnapshot } from '../channels/routing/routing-types.ts'
import { changedCharges, type ServedModels } from '../settings/consequences/changed-charges.ts'
import { editedGroup, entriesOfGroup, removedEntries, settingsOfGroup } from '../settings/group-settings.ts'
import { valuesAfter, valuesWith } from '../settings/option-edit.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { StatisticsRepository } from '../store/log/statistics.ts'
import { storableKey } from '../store/schema/text.ts'
import { servedOf } from './served-models.ts'

/** Options in force, beside what channels that stop are found by. */
export interface IntendedChangeDependencies extends ChannelStopsDependencies {
  readonly settings: SettingsReader
  readonly groupUsage: StatisticsRepository['groupUsage']
}

/** A change whose consequences are asked about; a record that is taken back is the change that this makes. */
export type IntendedChange = Omit<ChannelStopsBody, 'record'>

/** Says what an intended change of channels, of a price or of a group stops or charges otherwise, and how the last hour used that. */
export async function consequencesOf(
  body: IntendedChange,
  deps: IntendedChangeDependencies,
): Promise<ChannelStops> {
  const { price, changed_group: group, options } = body
  const { current } = deps.settings
  if (options !== undefined) return await ofOptions(current, valuesWith(current, options), deps)
  if (price !== undefined)
    return await ofOptions(current, valuesAfter(current, priceEditChanges(current, price)), deps)
  if (group !== undefined) return await ofGroup(group, deps)
  return await channelStops(body, deps)
}

async function ofGroup(
  { name, settings }: NonNullable<ChannelStopsBody['changed_group']>,
  deps: IntendedChangeDependencies,
): Promise<ChannelStops> {
  const { current } = deps.settings
  const before = settingsOfGroup(current, name)
  const edited = settings && editedGroup(before, settings)
  const edits = edited === null ? removedEntries(current, name) : entriesOfGroup(current, name, edited)
  const found = await ofOptions(current, valuesAfter(current, edits), deps)
  const isClosed = before.is_open && edited?.is_open === false
  if (edited !== null && !isClosed) return found
  // A removed group serves nobody any more, and one that is closed none but its own users.
  const models = servedByGroup(deps.directory.snapshot.channels.filter(isRoutable)).get(name) ?? []
  const concerned = [...models].map((model) => ({ model, groups: [name] }))
  const guestsOnly = edited !== null && found.charge_count === 0
  return { ...found, ...(await callersOf(concerned, deps, guestsOnly ? 'guests' : 'everybody')) }
}

/** Compares two states of the options, for the models that channels in service serve. */
async function ofOptions(
  before: SettingValues,
  after: SettingValues,
  deps: IntendedChangeDependencies,
): Promise<ChannelStops> {
  // Writes what this node has counted, which the callers are then read from.
  await deps.recentAttempts()
  const { snapshot } = deps.directory
  const served = servedByGroup(snapshot.channels.filter(isRoutable))
  const charges = changedCharges(before, after, served)
  const stopped = unpricedBy(before, after, snapshot, served)
  const charged = charges.flatMap((charge) => chargedBy(charge, served))
  return {
    ...listedModels(stopped),
    charges: charges.slice(0, maxListed),
    charge_count: charges.length,
    ...(await spendOf(charges, { before, after }, deps)),
    ...(await callersOf([...stopped, ...charged], deps)),
    attempts: 0,
  }
}

/** Options before a change and after it. */
interface Change {
  readonly before: SettingValues
  readonly after: SettingValues
}

/**
 * Estimates what the calls of the last hour that a change charges otherwise were charged, and would have been: each once, by the price of its
 * model and the ratio of its group, whichever of them change. Nothing where they would be charged alike, or nobody called.
 */
async function spendOf(
  charges: readonly ChangedCharge[],
  { before, after }: Change,
  { groupUsage, wallClock }: IntendedChangeDependencies,
): Promise<Pick<ChannelStops, 'spend'>> {
  const spend = { before: 0, after: 0 }
  for (const used of await groupUsage(lastHour(wallClock), modelsOf(charges))) {
    const { model, group } = used
    // Where the members of a group go when it is removed is decided later, and so is their ratio.
    if (Object.hasOwn(before.GroupRatio, group) && !Object.hasOwn(after.GroupRatio, group)) continue
    const [old, next] = [before, after].map((values) => findPrice(values, model, group))
    if (old === undefined || next === undefined || old === 'unpriced' || next === 'unpriced') continue
    const estimated = estimatedCharge(used, old, next)
    if (estimated === undefined) continue
    spend.before += used.quota
    spend.after += estimated
  }
  const rounded = { before: Math.round(spend.before), after: Math.round(spend.after) }
  return rounded.before === rounded.after ? {} : { spend: rounded }
}

/** Lists the models whose calls are charged otherwise, as rollups have them; `undefined` for all: the ratio of a group is of all its models. */
function modelsOf(charges: readonly ChangedCharge[]): readonly string[] | undefined {
  if (charges.some(({ model }) => model === '')) return undefined
  return [...new Set(charges.map(({ model }) => storableKey(model)))].slice(0, maxListed)
}

/** Returns the models and groups that a charge is of: a group's ratio is of all its models, a factor of all groups. */
function chargedBy({ model, group }: ChangedCharge, served: ServedModels): readonly StoppedModel[] {
  if (model === '') return [...(served.get(group) ?? [])].map((each) => ({ model: each, groups: [group] }))
  return [{ model, groups: group === '' ? groupsOf(model, served) : [group] }]
}

function groupsOf(model: string, served: ServedModels): readonly string[] {
  return [...served].flatMap(([group, of]) => (of.has(model) ? [group] : [])).sort()
}

/** Lists the models whose calls are refused after a change, for want of a price, and not before it. */
function unpricedBy(
  before: SettingValues,
  after: SettingValues,
  snapshot: ChannelSnapshot,
  served: ServedModels,
): readonly StoppedModel[] {
  if (before.ModelPrice === after.ModelPrice && before.ModelRatio === after.ModelRatio) return []
  const models = [...new Set([...served.values()].flatMap((each) => [...each]))]
  const left = new Set(servedOf(models, after, snapshot, false))
  return servedOf(models, before, snapshot, false)
    .filter((model) => !left.has(model))
    .map((model) => ({ model, groups: groupsOf(model, served) }))
    .sort((one, other) => (one.model < other.model ? -1 : 1))
}
