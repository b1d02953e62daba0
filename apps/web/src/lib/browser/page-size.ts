import { defaultPageSize } from '@tollgate/api'
import { useLocal, writeLocal } from './local-store.ts'

/** The row counts that lists offer. */
export const pageSizes = [10, 20, 50, 100] as const

function storePageSize(size: number): void {
  writeLocal('page-size', String(size))
}

/** Rows per page: the person's last choice on any list, else `fallback`. */
export function usePageSize(
  fallback: number = defaultPageSize,
): readonly [size: number, set: (size: number) => void] {
  const size = Number(useLocal('page-size'))
  return [(pageSizes as readonly number[]).includes(size) ? size : fallback, storePageSize]
}
