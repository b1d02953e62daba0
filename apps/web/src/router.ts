import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NotFoundPage, PageError } from './components/frame/error-pages.tsx'
import { PagePending } from './components/frame/page-pending.tsx'
import { parseSearch, stringifySearch } from './lib/search-params.ts'
import { channelAddRoute, channelEditRoute, channelRoute } from './routes/channel-routes.ts'
import { consoleRoute, plainRoute, rootRoute } from './routes/layout-routes.ts'
import { docsRoute, homeRoute, loginRoute, oauthRoute, setupRoute } from './routes/public-routes.ts'
import { settingRoute } from './routes/settings-routes.ts'
import { tokenAddRoute, tokenEditRoute, tokenRoute } from './routes/token-routes.ts'
import { logRoute, playgroundRoute } from './routes/usage-routes.ts'

const routeTree = rootRoute.addChildren([
  plainRoute.addChildren([homeRoute, docsRoute, loginRoute, oauthRoute, setupRoute]),
  consoleRoute.addChildren([
    tokenRoute.addChildren([tokenAddRoute, tokenEditRoute]),
    channelRoute.addChildren([channelAddRoute, channelEditRoute]),
    logRoute,
    settingRoute,
    playgroundRoute,
  ]),
])

/** Every address of the console and the page behind it. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    defaultPendingComponent: PagePending,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
  })
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
