import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditSearch } from '../features/audit/search.ts'
import { usersSearch } from '../features/users/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { requireAdmin } from './guards.ts'
import { consoleRoute } from './layout-routes.ts'

export const userRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/user',
  beforeLoad: requireAdmin,
  validateSearch: usersSearch,
  loader: () => loadTexts('users'),
  component: lazyRouteComponent(() => import('../features/users/page.tsx'), 'UsersPage'),
})

export const userAddRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/edit',
  component: lazyRouteComponent(() => import('../features/users/sheet.tsx'), 'CreateUserSheet'),
})

export const userEditRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/edit/$id',
  component: lazyRouteComponent(() => import('../features/users/sheet.tsx'), 'EditUserSheet'),
})

export const auditRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/audit',
  beforeLoad: requireAdmin,
  validateSearch: auditSearch,
  loader: () => loadTexts('audit'),
  component: lazyRouteComponent(() => import('../features/audit/page.tsx'), 'AuditPage'),
})
