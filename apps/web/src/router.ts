import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { NotFoundPage, PageError, PagePending } from './components/frame/error-pages.tsx'
import { parseSearch, stringifySearch } from './lib/search-params.ts'
import { embeddedRoutes } from './routes/chat-routes.ts'
import { consoleRoutes } from './routes/console-routes.ts'
import { rootRoute } from './routes/layout-routes.ts'
import { publicRoutes } from './routes/public-routes.ts'
import { watchScrolling } from './routes/scroll-watch.ts'

const routeTree = rootRoute.addChildren([publicRoutes, embeddedRoutes, consoleRoutes])

/**
 * The router of the console: every address and its page.
 * @param history the browser's by default
 */
export function createConsoleRouter(queryClient: QueryClient, history?: RouterHistory) {
  const { leave, needsScroll } = watchScrolling()
  const router = createRouter({
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
    scrollRestoration: ({ location }) => needsScroll(location),
    scrollToTopSelectors: ['#content'],
  })
  router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && leave(fromLocation))
  return router
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
