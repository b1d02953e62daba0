import { useEffect } from 'react'
import { useLogo, useSystemName } from './api/status.ts'

/** Names the browser tab: the page first, which tells tabs apart. */
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
