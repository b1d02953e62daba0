import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { logsSearch } from '../features/logs/search.ts'
import { playgroundSearch } from '../features/playground/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { consoleRoute } from './layout-routes.ts'

export const logRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/log',
  validateSearch: logsSearch,
  loader: () => loadTexts('logs'),
  component: lazyRouteComponent(() => import('../features/logs/page.tsx'), 'LogsPage'),
})

export const requestRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/log/request/$id',
  loader: () => loadTexts('logs'),
  component: lazyRouteComponent(() => import('../features/logs/request/request-page.tsx'), 'RequestPage'),
})

export const playgroundRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/playground',
  validateSearch: playgroundSearch,
  loader: () => loadTexts('playground'),
  component: lazyRouteComponent(() => import('../features/playground/page.tsx'), 'PlaygroundPage'),
})
