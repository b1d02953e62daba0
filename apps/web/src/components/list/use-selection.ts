import { useMemo, useState } from 'react'
import { type ListSearch, selectedOf, selectedText } from './list-search.ts'

/** How an address changes. */
export interface StepOptions {
  /** Leaves no step to go back to. */
  readonly replace: boolean
  /** False: the page stays scrolled as it is. */
  readonly resetScroll: boolean
}

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly select: (ids: ReadonlySet<string>) => void
}

/** The chosen rows: kept in the address, and shown at once, before the address has changed. */
export function useSelection<Search extends ListSearch>(
  search: Search,
  onSearch: (next: Search, options: StepOptions) => void,
): Selection {
  const selectedInUrl = search.selected
  const [followed, setFollowed] = useState(selectedInUrl)
  const [shown, setShown] = useState(selectedInUrl)
  if (selectedInUrl !== followed) {
    setFollowed(selectedInUrl)
    setShown(selectedInUrl)
  }
  const ids = useMemo(() => selectedOf({ selected: shown }), [shown])
  return {
    ids,
    select(next) {
      const selected = selectedText(next)
      setShown(selected)
      onSearch({ ...search, selected }, { replace: true, resetScroll: false })
    },
  }
}
