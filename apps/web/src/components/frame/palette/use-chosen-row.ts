import { type RefObject, useEffect } from 'react'

const names = 'aria-activedescendant'

/**
 * Tells screen readers the chosen row. The library goes on naming a row that went away with the results before and came
 * back under another id.
 */
export function useChosenRow(palette: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const chosen = palette.current?.querySelector('[cmdk-item][aria-selected="true"]')
    for (const element of palette.current?.querySelectorAll(`[${names}]`) ?? []) {
      if (document.getElementById(element.getAttribute(names) ?? '') !== null) continue
      if (chosen) element.setAttribute(names, chosen.id)
      else element.removeAttribute(names)
    }
  })
}
