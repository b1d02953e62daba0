import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { tokensSearch } from '../features/tokens/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { consoleRoute } from './layout-routes.ts'

export const tokenRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/token',
  validateSearch: tokensSearch,
  loader: () => loadTexts('tokens'),
  component: lazyRouteComponent(() => import('../features/tokens/page.tsx'), 'TokensPage'),
})

export const tokenAddRoute = createRoute({
  getParentRoute: () => tokenRoute,
  path: '/add',
  component: lazyRouteComponent(() => import('../features/tokens/sheet.tsx'), 'CreateTokenSheet'),
})

export const tokenEditRoute = createRoute({
  getParentRoute: () => tokenRoute,
  path: '/edit/$id',
  component: lazyRouteComponent(() => import('../features/tokens/sheet.tsx'), 'EditTokenSheet'),
})
