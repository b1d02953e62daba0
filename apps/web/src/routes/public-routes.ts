import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { docsSearch } from '../features/docs/search.ts'
import { loginSearch } from '../features/login/search.ts'
import { isCodeProvider, oauthSearch } from '../features/oauth/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { currentUser } from '../lib/session.ts'
import { storeInviteCode } from './account-routes.ts'
import { plainRoute } from './layout-routes.ts'

export const homeRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/',
  loader: () => loadTexts('home'),
  component: lazyRouteComponent(() => import('../features/home/page.tsx'), 'HomePage'),
})

export const aboutRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/about',
  component: lazyRouteComponent(() => import('../features/about/page.tsx'), 'AboutPage'),
})

export const docsRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/docs',
  validateSearch: docsSearch,
  loader: () => loadTexts('docs'),
  component: lazyRouteComponent(() => import('../features/docs/page.tsx'), 'DocsPage'),
})

export const setupRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/setup',
  loader: () => loadTexts('setup'),
  component: lazyRouteComponent(() => import('../features/setup/page.tsx'), 'SetupPage'),
})

export const loginRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/login',
  validateSearch: loginSearch,
  beforeLoad: ({ search }) => {
    if (currentUser() && !search.expired) throw redirect({ to: '/token' })
    storeInviteCode(search.aff)
  },
  loader: () => loadTexts('login'),
  component: lazyRouteComponent(() => import('../features/login/page.tsx'), 'LoginPage'),
})

/** Where providers send the browser back to. */
export const oauthRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/oauth/$provider',
  validateSearch: oauthSearch,
  beforeLoad: ({ params }) => {
    if (!isCodeProvider(params.provider)) throw notFound()
  },
  loader: () => loadTexts('login'),
  component: lazyRouteComponent(() => import('../features/oauth/page.tsx'), 'OauthPage'),
})
