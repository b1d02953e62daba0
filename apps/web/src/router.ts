import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type ParsedLocation, type RouterHistory } from '@tanstack/react-router'
import { NotFoundPage, PageError, PagePending } from './components/frame/error-pages.tsx'
import { parseSearch, stringifySearch } from './lib/search-params.ts'
import { embeddedRoutes } from './routes/chat-routes.ts'
import { consoleRoutes } from './routes/console-routes.ts'
import { rootRoute } from './routes/layout-routes.ts'
import { publicRoutes } from './routes/public-routes.ts'

const routeTree = rootRoute.addChildren([publicRoutes, embeddedRoutes, consoleRoutes])

/**
 * The router of the console: every address and its page.
 * @param history the browser's by default
 */
export function createConsoleRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    defaultPendingComponent: PagePending,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageError,
    scrollRestoration: scrollsPage(),
    scrollToTopSelectors: [`:has(>${content})`],
  })
}

/** The `main` of a layout: on a desk the box around it scrolls, on a phone the window does. */
const content = '#content'

/**
 * Decides which pages are scrolled as they come: to their top, their anchor, or where they were left. That lays a page out within the task
 * that draws it, a third of the task, and most pages follow one that is at its top.
 */
function scrollsPage() {
  let isScrolled = false
  let before = Number.NaN
  const noteScroll = ({ target }: Event) => {
    // Of the window it is the document, which has no place of its own.
    const box = target as
      | Element
      | { readonly scrollTop: undefined; readonly querySelector: Document['querySelector'] }
    if (box.querySelector(content)) isScrolled = (box.scrollTop ?? window.scrollY) > 0
  }
  window.addEventListener('scroll', noteScroll, true)
  return ({ location: { hash, state } }: { readonly location: ParsedLocation }): boolean => {
    const steps = state.__TSR_index - before
    before = state.__TSR_index
    return isScrolled || steps !== 1 || hash !== ''
  }
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
