import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pricingSearch } from '../features/pricing/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { plainRoute } from './layout-routes.ts'

export const pricingRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/pricing',
  validateSearch: pricingSearch,
  loader: () => loadTexts('pricing'),
  component: lazyRouteComponent(() => import('../features/pricing/page.tsx'), 'PricingPage'),
})
