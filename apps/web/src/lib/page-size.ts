import { defaultPageSize } from '@tollgate/api'
import { useLocal, writeLocal } from './local-store.ts'

export const pageSizes = [10, 20, 50, 100] as const

function asPageSize(text: string | null, unless: number): number {
  const size = Number(text)
  return (pageSizes as readonly number[]).includes(size) ? size : unless
}

function storePageSize(size: number): void {
  writeLocal('page-size', String(size))
}

/** Rows per page, as the person chose last on any list; `unless` they never did. */
export function usePageSize(
  unless: number = defaultPageSize,
): readonly [size: number, set: (size: number) => void] {
  return [asPageSize(useLocal('page-size'), unless), storePageSize]
}
