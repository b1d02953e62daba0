import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { redemptionsSearch } from '../features/redemptions/search.ts'
import { walletSearch } from '../features/wallet/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { requireAdmin } from './guards.ts'
import { consoleRoute } from './layout-routes.ts'

export const walletRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/topup',
  validateSearch: walletSearch,
  loader: () => loadTexts('wallet'),
  component: lazyRouteComponent(() => import('../features/wallet/page.tsx'), 'WalletPage'),
})

export const redemptionRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/redemption',
  beforeLoad: requireAdmin,
  validateSearch: redemptionsSearch,
  loader: () => loadTexts('redemptions'),
  component: lazyRouteComponent(() => import('../features/redemptions/page.tsx'), 'RedemptionsPage'),
})

export const redemptionAddRoute = createRoute({
  getParentRoute: () => redemptionRoute,
  path: '/add',
  component: lazyRouteComponent(() => import('../features/redemptions/sheet.tsx'), 'CreateRedemptionSheet'),
})

export const redemptionEditRoute = createRoute({
  getParentRoute: () => redemptionRoute,
  path: '/edit/$id',
  component: lazyRouteComponent(() => import('../features/redemptions/sheet.tsx'), 'EditRedemptionSheet'),
})
