import type { JobCost, ModelCapability, ModelPerformance, PricingRow } from '@tollgate/api'
import type { SortState } from '../../components/data-table/columns.ts'

export const byTokens = 0

/** Billing type, then names that start with gpt, then names (spec operations §2.10). */
function compareRows(left: PricingRow, right: PricingRow): number {
  return (
    left.quota_type - right.quota_type ||
    Number(isGpt(right)) - Number(isGpt(left)) ||
    left.model_name.localeCompare(right.model_name, 'en')
  )
}

function isGpt({ model_name }: PricingRow): boolean {
  return model_name.startsWith('gpt')
}

/** Letters and digits only, full width as half width: what input methods and habits add does not matter. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Decides whether the name has the characters of every word of the search in their order: `4mini` finds `gpt-4o-mini`. */
export function matches(name: string, keyword: string): boolean {
  const target = plain(name)
  return keyword.split(/\s+/).every((word) => hasInOrder(target, plain(word)))
}

function hasInOrder(target: string, characters: string): boolean {
  let from = 0
  for (const character of characters) {
    from = target.indexOf(character, from) + 1
    if (from === 0) return false
  }
  return true
}

/** Names that have every word of the search as it is written come before those that only have its characters. */
function compareMatches(keyword: string): (left: PricingRow, right: PricingRow) => number {
  const words = keyword.split(/\s+/).map(plain)
  const isLiteral = ({ model_name }: PricingRow) => words.every((word) => plain(model_name).includes(word))
  return (left, right) => Number(isLiteral(right)) - Number(isLiteral(left))
}

export interface ListedRow extends PricingRow {
  /** Set when a call in the visible group would be served. */
  readonly isServed: boolean
  /** The charge of the job that is typed; absent without one. */
  readonly job?: JobCost
  /** Figures of the last day; absent where the operator does not show them, or there were too few calls. */
  readonly performance?: ModelPerformance
}

const sortKeys: Readonly<Record<string, (row: ListedRow) => number>> = {
  // Dearest last, whatever has no figure behind them.
  job: ({ job }) => -(job?.quota ?? Number.POSITIVE_INFINITY),
  availability: ({ performance }) => performance?.availability ?? -1,
  speed: ({ performance }) => performance?.tokens_per_second ?? -1,
  available: ({ isServed }) => Number(isServed),
  billing: ({ quota_type }) => -quota_type,
}

interface ListQuery {
  readonly group: string
  readonly keyword: string
  readonly sort: SortState | undefined
  readonly vendor?: string | undefined
  readonly capability?: ModelCapability | undefined
  /** Charges of a job by model; with them the cheapest model comes first. */
  readonly costs?: ReadonlyMap<string, JobCost> | undefined
  readonly performance?: ReadonlyMap<string, ModelPerformance> | undefined
}

const cheapestFirst: SortState = { column: 'job', descending: true }

/** The rows that match, for one group, in the order asked for. */
export function listedRows(
  rows: readonly PricingRow[],
  { group, keyword, sort: chosen, vendor, capability, costs, performance }: ListQuery,
): readonly ListedRow[] {
  const sort = chosen ?? (costs && cheapestFirst)
  const byMatch = compareMatches(keyword)
  const order = (left: ListedRow, right: ListedRow) => byMatch(left, right) || compareRows(left, right)
  const listed = rows
    .filter(
      ({ model_name, owner_by, capabilities }) =>
        matches(model_name, keyword) &&
        (vendor === undefined || owner_by === vendor) &&
        (capability === undefined || capabilities?.includes(capability)),
    )
    .map((row) => {
      const job = costs?.get(row.model_name)
      const isServed = row.available && row.enable_groups.includes(group)
      const measured = performance?.get(row.model_name)
      return {
        ...row,
        isServed,
        ...(job !== undefined && { job }),
        ...(measured !== undefined && { performance: measured }),
      }
    })
    .sort(order)
  const keyOf = sort && sortKeys[sort.column]
  if (!keyOf) return listed
  const sign = sort.descending ? -1 : 1
  return listed.sort((left, right) => sign * (keyOf(left) - keyOf(right)) || order(left, right))
}
