import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { registerSearch } from '../features/register/search.ts'
import { resetSearch } from '../features/reset/search.ts'
import { loadTexts } from '../i18n/index.ts'
import { writeLocal } from '../lib/local-store.ts'
import { currentUser } from '../lib/session.ts'
import { plainRoute } from './layout-routes.ts'

const loader = () => loadTexts('account', 'login')

/** Keeps the invite code of a link until an account is made, on whichever page that happens. */
export function storeInviteCode(code: string | undefined): void {
  if (code) writeLocal('aff', code)
}

export const registerRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/register',
  validateSearch: registerSearch,
  beforeLoad: ({ search }) => {
    if (currentUser()) throw redirect({ to: '/token' })
    storeInviteCode(search.aff)
  },
  loader,
  component: lazyRouteComponent(() => import('../features/register/page.tsx'), 'RegisterPage'),
})

export const resetRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/reset',
  loader,
  component: lazyRouteComponent(() => import('../features/reset/page.tsx'), 'ResetRequestPage'),
})

/** Where the mailed link leads. */
export const resetConfirmRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/user/reset',
  validateSearch: resetSearch,
  loader,
  component: lazyRouteComponent(() => import('../features/reset/page.tsx'), 'ResetConfirmPage'),
})
