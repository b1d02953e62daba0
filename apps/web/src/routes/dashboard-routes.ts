import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dashboardSearch } from '../features/dashboard/search.ts'
import { drawingsSearch, tasksSearch } from '../features/tasks/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { consoleRoute } from './layout-routes.ts'

export const detailRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/detail',
  validateSearch: dashboardSearch,
  loader: () => loadTexts('dashboard'),
  component: lazyRouteComponent(() => import('../features/dashboard/page.tsx'), 'DashboardPage'),
})

export const drawingsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/midjourney',
  validateSearch: drawingsSearch,
  loader: () => loadTexts('tasks'),
  component: lazyRouteComponent(() => import('../features/tasks/drawings-page.tsx'), 'DrawingsPage'),
})

export const tasksRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/task',
  validateSearch: tasksSearch,
  loader: () => loadTexts('tasks'),
  component: lazyRouteComponent(() => import('../features/tasks/tasks-page.tsx'), 'TasksPage'),
})
