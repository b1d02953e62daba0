import { type Param, pageParam, textParam } from '../../lib/search-params.ts'
import type { SortState } from '../data-table/columns.ts'

/** `name` sorts up, `-name` down. */
const sortParam: Param<string> = (value) =>
  typeof value === 'string' && /^-?[\w-]{1,40}$/.test(value) ? value : undefined

/** Ids of the chosen rows, `3,17,20`. */
const selectedParam: Param<string> = (value) => {
  const text = textParam(value)
  return text !== undefined && /^\d+(,\d+)*$/.test(text) ? text : undefined
}

/** Parameters that every list has in its address, beside its filters. */
export const listParams = { page: pageParam, sort: sortParam, selected: selectedParam }

export interface ListSearch {
  readonly page?: number | undefined
  readonly sort?: string | undefined
  readonly selected?: string | undefined
}

export function sortOf({ sort }: ListSearch): SortState | undefined {
  if (sort === undefined) return undefined
  return sort.startsWith('-')
    ? { column: sort.slice(1), descending: true }
    : { column: sort, descending: false }
}

export function sortText(sort: SortState | undefined): string | undefined {
  return sort && `${sort.descending ? '-' : ''}${sort.column}`
}

const none: ReadonlySet<string> = new Set()

export function selectedOf({ selected }: ListSearch): ReadonlySet<string> {
  return selected === undefined ? none : new Set(selected.split(','))
}

export function selectedText(ids: ReadonlySet<string>): string | undefined {
  return ids.size === 0 ? undefined : [...ids].join(',')
}
