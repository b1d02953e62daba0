import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { personalSearch } from '../features/personal/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { consoleRoute } from './layout-routes.ts'

export const personalRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/personal',
  validateSearch: personalSearch,
  loader: () => loadTexts('personal'),
  component: lazyRouteComponent(() => import('../features/personal/page.tsx'), 'PersonalPage'),
})
