import { logTypes } from '@tollgate/api/roles'
import type { Seconds } from '../../units.ts'
import { type Fragment, fragment, oneStretch, rowsOfStretch } from '../quarters/split-hours.ts'

/** Time of whole quarters; the end is exclusive. */
export interface SpendTimes {
  readonly from: Seconds
  readonly end: Seconds
}

const consumption = `type = ${logTypes.consumption}`
const sums = ['count', 'quota', 'prompt_tokens', 'completion_tokens']

/** Returns rows by user and model whose sums are what was spent in a time. A relation for `from`. @param only a further condition */
export function rowsByUser({ from, end }: SpendTimes, only?: Fragment): Fragment {
  const condition = only === undefined ? fragment`${consumption}` : fragment`${consumption} and ${only}`
  const key = ['user_id', 'model']
  return rowsOfStretch({
    stretch: oneStretch(from, end),
    key,
    sums,
    rows: fragment`select ${[...key, ...sums].join(', ')} from usage_hourly
      where ${condition} and hour >= ${from} and hour < ${end}`,
    quarters: 'usage_quarters',
    only: condition,
  })
}

/** Returns the same by model alone, from the sums of all users. */
export function rowsByModel({ from, end }: SpendTimes): Fragment {
  return rowsOfStretch({
    stretch: oneStretch(from, end),
    key: ['model'],
    sums,
    rows: {
      sql: `select ${['model', ...sums].join(', ')} from usage_by_model where ${consumption} and hour >= ? and hour < ?`,
      parameters: [from, end],
    },
    quarters: 'usage_by_model_quarters',
    only: { sql: consumption, parameters: [] },
  })
}

/** Writes a sum as a column of a result. */
export function summed(expression: string, name: string): string {
  return `cast(sum(${expression}) as bigint) as "${name}"`
}
