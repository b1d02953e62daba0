import type { FilterOfPage } from '@tollgate/api'
import { integerParam, type Param, textParam } from '../../lib/search-params.ts'

/**
 * The parameters that declared filters have in an address. The type names none of them, so that a page reads only those that it
 * lists itself.
 */
export function filterParams(filters: readonly FilterOfPage[]): Readonly<Record<never, Param<unknown>>> {
  return Object.fromEntries(
    filters.map(({ name, kind }) => [name, kind === 'text' ? textParam : integerParam]),
  )
}
