// Lists without a stretch of time need not load it: `time-filter.tsx` is imported by itself.
export type { BulkAction } from './bulk-actions.tsx'
export { listCache } from './list-cache.ts'
export type { ChoicesQuery, ListFilter } from './list-filters.tsx'
export { ListPage } from './list-page.tsx'
export { activeFilters } from './list-search.ts'
export { type List, type ListSource, orderOf, useList } from './use-list.ts'
