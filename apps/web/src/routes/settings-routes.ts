import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settingsSearch } from '../features/settings/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { consoleRoute } from './layout-routes.ts'

export const settingRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/setting',
  validateSearch: settingsSearch,
  loader: () => loadTexts('settings'),
  component: lazyRouteComponent(() => import('../features/settings/page.tsx'), 'SettingsPage'),
})
