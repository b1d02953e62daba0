// Lists without a stretch of time need not load it: `time-filter.tsx` is imported by itself.
export type { BulkAction } from './bulk-actions.tsx'
export {
  asTyped,
  channelChoices,
  choicesOf,
  groupChoices,
  labelledChoices,
  numberChoices,
  typedNumber,
} from './choices.ts'
export { useColumnLabel, useFieldColumns } from './field-columns.tsx'
export { filtersIn, useFieldFilters } from './field-filters.ts'
export { listCache } from './list-cache.ts'
export type { ChoicesQuery, ListFilter } from './list-filters.tsx'
export { ListPage } from './list-page.tsx'
export { resourceApi } from './resource-api.ts'
export {
  CardFoot,
  ResourceRow,
  useResourceActions,
  useResourceCopy,
  useStatusFilter,
} from './resource-row.tsx'
export { RowControls, type RowStops } from './row-controls.tsx'
export { FullSecret, SecretCell } from './secret-cell.tsx'
export { useBulkAction } from './use-bulk-action.ts'
export { type List, type ListSource, orderOf, preloadList, useList } from './use-list.ts'
export type { StepOptions } from './use-selection.ts'
