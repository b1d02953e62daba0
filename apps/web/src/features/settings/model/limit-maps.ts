import type { VisibleKey } from './catalogue.ts'

/** Figure of an entry, as a column of a table. */
export type LimitColumn =
  | 'requests'
  | 'successes'
  | 'requests_per_minute'
  | 'tokens_per_minute'
  | 'concurrency'
  | 'maxTokens'
  | 'ratio'

/** Form of the entries of a map, each of them figures under a name. */
export interface LimitMap {
  /** The kind of names that entries have. */
  readonly names: 'group' | 'model'
  readonly columns: readonly LimitColumn[]
  /** Figures of a new entry. */
  readonly first: readonly number[]
  /** Reads an entry; `undefined` for one of another form. */
  readonly read: (entry: unknown) => readonly number[] | undefined
  readonly write: (figures: readonly number[]) => unknown
}

const rateColumns = ['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const

const rates = (names: LimitMap['names']): LimitMap => ({
  names,
  columns: rateColumns,
  first: [0, 0, 0],
  read(entry) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
    const limits = new Map<string, unknown>(Object.entries(entry))
    return numbersIn(rateColumns.map((column) => limits.get(column) ?? 0))
  },
  write: (figures) => Object.fromEntries(rateColumns.map((column, index) => [column, figures[index] ?? 0])),
})

const single = (names: LimitMap['names'], column: LimitColumn, first: number): LimitMap => ({
  names,
  columns: [column],
  first: [first],
  read: (entry) => numbersIn([entry]),
  write: ([figure]) => figure ?? null,
})

/** The options whose maps are edited in rows. */
export const limitMaps: Partial<Record<VisibleKey, LimitMap>> = {
  ModelRequestRateLimitGroup: {
    names: 'group',
    columns: ['requests', 'successes'],
    first: [0, 1000],
    read: (entry) => (Array.isArray(entry) && entry.length === 2 ? numbersIn(entry) : undefined),
    write: (figures) => figures,
  },
  GroupRateLimits: rates('group'),
  ModelRateLimits: rates('model'),
  TopupGroupRatio: single('group', 'ratio', 1),
  'claude.default_max_tokens': single('model', 'maxTokens', 8192),
}

/** Returns the figures of every entry; `undefined` where a row could not show one of them. */
export function readLimits(
  { read }: LimitMap,
  entries: ReadonlyMap<string, unknown> | undefined,
): ReadonlyMap<string, readonly number[]> | undefined {
  if (entries === undefined) return undefined
  const rows = [...entries].map(([name, entry]) => [name, read(entry)] as const)
  if (!rows.every((row): row is readonly [string, readonly number[]] => row[1] !== undefined))
    return undefined
  return new Map(rows)
}

function numbersIn(values: readonly unknown[]): readonly number[] | undefined {
  return values.every((value) => typeof value === 'number') ? values : undefined
}
