import type { ModelChannelCost, RefusedModel, ServedModel } from '@tollgate/api'
import type { SortState } from '../../components/data-table/columns.ts'
import type { ModelsSearch } from './search.ts'

/** A served model, with the calls that were refused because it has no price, and what its channels take for it. */
export interface ModelRow extends ServedModel {
  readonly refused: number
  readonly costs: readonly ModelChannelCost[]
}

export function modelRows(
  models: readonly ServedModel[],
  refused: readonly RefusedModel[],
  costs: readonly ModelChannelCost[],
): readonly ModelRow[] {
  const counts = new Map(refused.map(({ model_name, count }) => [model_name, count]))
  const costsOf = new Map<string, ModelChannelCost[]>()
  for (const cost of costs) costsOf.set(cost.model_name, [...(costsOf.get(cost.model_name) ?? []), cost])
  return models.map((model) => ({
    ...model,
    refused: counts.get(model.model_name) ?? 0,
    costs: costsOf.get(model.model_name) ?? [],
  }))
}

type Filters = Pick<ModelsSearch, 'keyword' | 'state' | 'vendor' | 'channel'>

/** The rows that match, those without a price first and of those the ones that callers ask for. */
export function listedModels(
  rows: readonly ModelRow[],
  filters: Filters,
  sort: SortState | undefined,
): readonly ModelRow[] {
  const listed = rows.filter((row) => matches(row, filters)).sort(byNeed)
  const keyOf = sort && sortKeys[sort.column]
  if (!keyOf) return listed
  const sign = sort.descending ? -1 : 1
  // What has no figure stays at the end, whichever way it is sorted.
  return listed.sort((left, right) => {
    const [a, b] = [keyOf(left), keyOf(right)]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return sign * (a < b ? -1 : a > b ? 1 : 0)
  })
}

/** The names of a list of rows, each once and sorted. */
export function vendorsOf(rows: readonly ModelRow[]): readonly string[] {
  return [...new Set(rows.map(({ owner_by }) => owner_by).filter((name) => name !== ''))].sort()
}

export function channelsOf(
  rows: readonly ModelRow[],
): readonly { readonly id: number; readonly name: string }[] {
  const found = new Map(rows.flatMap(({ channels }) => channels.map((channel) => [channel.id, channel])))
  return [...found.values()].sort((left, right) => left.name.localeCompare(right.name))
}

function matches(row: ModelRow, { keyword = '', state, vendor, channel }: Filters): boolean {
  const text = `${row.model_name} ${row.owner_by}`.toLowerCase()
  return (
    keyword
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    (state === undefined || isUnpriced(row)) &&
    (vendor === undefined || row.owner_by === vendor) &&
    (channel === undefined || row.channels.some(({ id }) => id === channel))
  )
}

export function isUnpriced({ unpriced }: Pick<ServedModel, 'unpriced'>): boolean {
  return unpriced === true
}

/** `model-2` before `model-10`. */
const byName = new Intl.Collator('en', { numeric: true })

function byNeed(left: ModelRow, right: ModelRow): number {
  return (
    Number(isUnpriced(right)) - Number(isUnpriced(left)) ||
    right.refused - left.refused ||
    byName.compare(left.model_name, right.model_name)
  )
}

const perToken = (row: ModelRow, ratio: number) =>
  isUnpriced(row) || row.quota_type !== 0 ? undefined : row.model_ratio * ratio

const sortKeys: Readonly<Record<string, (row: ModelRow) => number | string | undefined>> = {
  model: ({ model_name }) => model_name.toLowerCase(),
  input: (row) => perToken(row, 1),
  output: (row) => perToken(row, row.completion_ratio),
  cached: (row) => perToken(row, row.cache_ratio ?? 1),
  vendor: ({ owner_by }) => owner_by.toLowerCase() || undefined,
  context: ({ context_size }) => context_size,
  channels: ({ channels }) => channels.length,
}
