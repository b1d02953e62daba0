import { defaultPageSize } from '@tollgate/api'
import { useEffect } from 'react'
import { useLocal, writeLocal } from './local-store.ts'
import { useLogo, useSystemName } from './status.ts'

/** Names the browser tab: page first, so that tabs can be told apart. */
export function usePageTitle(title?: string): void {
  const systemName = useSystemName()
  useEffect(() => {
    document.title = title ? `${title} · ${systemName}` : systemName
  }, [title, systemName])
}

/** Shows the installation's logo as the tab's icon. */
export function useFavicon(): void {
  const logo = useLogo()
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link || link.getAttribute('href') === logo) return
    link.href = logo
    link.type = logo.endsWith('.svg') ? 'image/svg+xml' : ''
  }, [logo])
}

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
