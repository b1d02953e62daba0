import { useEffect } from 'react'

const holders = new Set<object>()

/** Decides whether anything typed would be lost if this page were left or read anew. */
export function hasUnsavedWork(): boolean {
  return holders.size > 0
}

/** Says that a form holds something typed, so that an ended session or a new build does not take it away. */
export function useUnsavedWork(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const holder = {}
    holders.add(holder)
    return () => {
      holders.delete(holder)
    }
  }, [unsaved])
}
