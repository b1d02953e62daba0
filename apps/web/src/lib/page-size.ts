import { defaultPageSize } from '@tollgate/api'
import { readLocal, useLocal, writeLocal } from './local-store.ts'

export const pageSizes = [10, 20, 50, 100] as const

function asPageSize(text: string | null): number {
  const size = Number(text)
  return (pageSizes as readonly number[]).includes(size) ? size : defaultPageSize
}

/** Rows per page, as the person chose last on any list. */
export function storedPageSize(): number {
  return asPageSize(readLocal('page-size'))
}

export function storePageSize(size: number): void {
  writeLocal('page-size', String(size))
}

export function usePageSize(): readonly [size: number, set: (size: number) => void] {
  return [asPageSize(useLocal('page-size')), storePageSize]
}
