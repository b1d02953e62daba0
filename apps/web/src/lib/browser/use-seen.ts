import { useCallback, useState } from 'react'

/** Observes whether the element has been on the screen: what is below it loads when it is looked at. */
export function useSeen() {
  const [seen, setSeen] = useState(false)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      setSeen(true)
      observer.disconnect()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, seen }
}
