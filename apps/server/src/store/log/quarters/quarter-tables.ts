import { countedKinds, formerKinds } from './counted-kinds.ts'

/** An hourly table, and what of its hours belongs to their later quarters. */
export interface QuarterTable {
  readonly main: string
  /** The time in the main table. */
  readonly time: string
  /** Columns of the main table that are the same in every row of hours, and the condition that selects those rows by its key. */
  readonly fixed: Readonly<Record<string, number>>
  readonly only: string
  readonly key: readonly string[]
  readonly sums: readonly string[]
  readonly quarters: string
}

/** The sums of the hourly tables of usage. */
export const usageSums = [
  'count',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cost',
  'costed_quota',
  'costed_calls',
] as const
const chargeSums = ['amount', 'calls', 'cost', 'costed_quota', 'costed_calls'] as const
const everything = '1 = 1'

/** The hourly tables that are read by days of a reader's clock. */
export const quarterTables: readonly QuarterTable[] = [
  {
    main: 'usage_hourly',
    time: 'hour',
    fixed: {},
    only: everything,
    key: ['type', 'user_id', 'model'],
    sums: usageSums,
    quarters: 'usage_quarters',
  },
  {
    main: 'usage_by_model',
    time: 'hour',
    fixed: {},
    only: 'type in (2, 5)',
    key: ['type', 'model'],
    sums: usageSums,
    quarters: 'usage_by_model_quarters',
  },
  {
    main: 'ledger_charges',
    time: 'hour',
    fixed: {},
    only: everything,
    key: ['account_kind', 'account_id'],
    sums: chargeSums,
    quarters: 'charge_quarters',
  },
  {
    main: 'attempt_counts',
    time: 'starts_at',
    fixed: { step: 3600 },
    only: `step = 3600 and kind in (${[...countedKinds, ...formerKinds].map((kind) => `'${kind}'`).join(', ')})`,
    key: ['kind', 'id', 'model', 'outcome'],
    sums: ['count', 'ms'],
    quarters: 'attempt_quarters',
  },
]
