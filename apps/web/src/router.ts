import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NotFoundPage, PageError, PagePending } from './components/frame/error-pages.tsx'
import { parseSearch, stringifySearch } from './lib/search-params.ts'
import { registerRoute, resetConfirmRoute, resetRoute } from './routes/account-routes.ts'
import { channelAddRoute, channelEditRoute, channelRoute } from './routes/channel-routes.ts'
import { chatJumpRoute, chatRoute, defaultChatRoute } from './routes/chat-routes.ts'
import { detailRoute, drawingsRoute, tasksRoute } from './routes/dashboard-routes.ts'
import { consoleRoute, embeddedRoute, plainRoute, rootRoute } from './routes/layout-routes.ts'
import { personalRoute } from './routes/personal-routes.ts'
import { pricingRoute } from './routes/pricing-routes.ts'
import {
  aboutRoute,
  docsRoute,
  homeRoute,
  loginRoute,
  oauthRoute,
  setupRoute,
} from './routes/public-routes.ts'
import { settingRoute } from './routes/settings-routes.ts'
import { tokenAddRoute, tokenEditRoute, tokenRoute } from './routes/token-routes.ts'
import { logRoute, playgroundRoute, requestRoute } from './routes/usage-routes.ts'
import { auditRoute, userAddRoute, userEditRoute, userRoute } from './routes/user-admin-routes.ts'
import {
  redemptionAddRoute,
  redemptionEditRoute,
  redemptionRoute,
  walletRoute,
} from './routes/wallet-routes.ts'

const routeTree = rootRoute.addChildren([
  plainRoute.addChildren([
    homeRoute,
    aboutRoute,
    docsRoute,
    pricingRoute,
    loginRoute,
    registerRoute,
    resetRoute,
    resetConfirmRoute,
    oauthRoute,
    setupRoute,
  ]),
  embeddedRoute.addChildren([chatRoute, defaultChatRoute, chatJumpRoute]),
  consoleRoute.addChildren([
    tokenRoute.addChildren([tokenAddRoute, tokenEditRoute]),
    channelRoute.addChildren([channelAddRoute, channelEditRoute]),
    detailRoute,
    logRoute,
    requestRoute,
    drawingsRoute,
    tasksRoute,
    settingRoute,
    playgroundRoute,
    walletRoute,
    personalRoute,
    redemptionRoute.addChildren([redemptionAddRoute, redemptionEditRoute]),
    userRoute.addChildren([userAddRoute, userEditRoute]),
    auditRoute,
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
