import type { FilterOfPage } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { asTyped } from './choices.ts'
import type { ListFilter } from './list-filters.tsx'

/** The declared filters that an address has set. */
export function filtersIn(
  filters: readonly FilterOfPage[],
  search: object,
): Readonly<Record<string, unknown>> {
  const set = new Map(Object.entries(search))
  return Object.fromEntries(filters.map(({ name }) => [name, set.get(name)]))
}

/**
 * The controls of a list's filters.
 * @param own those with choices or without a field; the others take typed text
 */
export function useFieldFilters(
  filters: readonly FilterOfPage[],
  own: readonly ListFilter[],
  label: (name: string) => string,
): readonly ListFilter[] {
  const { t } = useTranslation()
  const named = new Set(own.map(({ name }) => name))
  const typed = filters
    .filter(({ name }) => !named.has(name))
    .map(({ name }) => ({
      name,
      label: label(name),
      placeholder: t('list.filterValue'),
      choices: [],
      typed: asTyped,
    }))
  return [...own, ...typed]
}
