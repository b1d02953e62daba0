import { useEffect, useEffectEvent } from 'react'

/** Has the browser ask before this page is closed or loaded anew while typed work would be lost. */
export function useReloadQuestion(losesWork: () => boolean): void {
  const ask = useEffectEvent((event: BeforeUnloadEvent) => {
    if (losesWork()) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
