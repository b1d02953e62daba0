import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { settingsSearch } from '../features/settings/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { currentUser, isAdmin } from '../lib/session.ts'
import { consoleRoute } from './layout-routes.ts'

export const settingRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/setting',
  // What common users may set is on a page of its own.
  beforeLoad: () => {
    if (!isAdmin(currentUser())) throw redirect({ to: '/personal' })
  },
  validateSearch: settingsSearch,
  loader: () => loadTexts('settings'),
  component: lazyRouteComponent(() => import('../features/settings/page.tsx'), 'SettingsPage'),
})
