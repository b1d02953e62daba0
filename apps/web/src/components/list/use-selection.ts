import { useMemo, useState } from 'react'
import { type ListSearch, selectedOf, selectedText } from './list-search.ts'

/** Options of a change to the address. */
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
  const [visible, setVisible] = useState(selectedInUrl)
  if (selectedInUrl !== followed) {
    setFollowed(selectedInUrl)
    setVisible(selectedInUrl)
  }
  const ids = useMemo(() => selectedOf({ selected: visible }), [visible])
  return {
    ids,
    select(next) {
      const selected = selectedText(next)
      setVisible(selected)
      onSearch({ ...search, selected }, { replace: true, resetScroll: false })
    },
  }
}
