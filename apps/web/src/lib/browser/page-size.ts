import { defaultPageSize } from '@tollgate/api'
import { readLocal, useLocal, writeLocal } from './local-store.ts'

/** The row counts that lists offer. */
export const pageSizes = [10, 20, 50, 100] as const

function storePageSize(size: number): void {
  writeLocal('page-size', String(size))
}

/** Rows per page: the person's last choice on any list, else `fallback`. */
export function usePageSize(
  fallback: number = defaultPageSize,
): readonly [size: number, set: (size: number) => void] {
  return [offeredSize(useLocal('page-size'), fallback), storePageSize]
}

/** The same outside React. */
export function storedPageSize(fallback: number = defaultPageSize): number {
  return offeredSize(readLocal('page-size'), fallback)
}

function offeredSize(stored: string | null, fallback: number): number {
  const size = Number(stored)
  return (pageSizes as readonly number[]).includes(size) ? size : fallback
}
