import type { ParsedLocation } from '@tanstack/react-router'

/** Knowledge of what is scrolled, for the router before it scrolls a page that has come. */
export interface ScrollWatch {
  /** Notes a page that is left. */
  readonly leave: (location: ParsedLocation) => void
  /** Decides whether the page that comes has to be scrolled: to its top, its anchor, or where somebody had left it. */
  readonly needsScroll: (location: ParsedLocation) => boolean
}

/** Returns how far something is scrolled, the page or a box in it. */
function scrolledBy(target: EventTarget): number {
  const { scrollTop, scrollLeft } = target instanceof Element ? target : document.documentElement
  return Math.max(scrollTop, scrollLeft)
}

/**
 * Watches what is scrolled. To scroll a new page lays it out within the task that draws it, a third of that task, and most pages come to a
 * window that is at its top.
 */
export function watchScrolling(source: EventTarget = window, howFar = scrolledBy): ScrollWatch {
  const scrolled = new Set<EventTarget>()
  const leftScrolled = new Set<string>()
  let isFirst = true
  const note = ({ target }: Event) => {
    if (target === null) return
    if (howFar(target) > 0) scrolled.add(target)
    else scrolled.delete(target)
  }
  source.addEventListener('scroll', note, { capture: true, passive: true })
  const isScrolled = () => {
    for (const target of scrolled) if ('isConnected' in target && !target.isConnected) scrolled.delete(target)
    return scrolled.size > 0
  }
  return {
    leave(location) {
      if (isScrolled()) leftScrolled.add(keyOf(location))
    },
    needsScroll(location) {
      // What was scrolled before the page was loaded again is in the session's store.
      const needs = isFirst || location.hash !== '' || leftScrolled.has(keyOf(location)) || isScrolled()
      isFirst = false
      return needs
    },
  }
}

/** The router's own key of a step of the history. */
function keyOf({ state, href }: ParsedLocation): string {
  return state.__TSR_key ?? href
}
