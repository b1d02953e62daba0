import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { docsSearch } from '../features/docs/search.ts'
import { loginSearch } from '../features/login/search.ts'
import { isCodeProvider, oauthSearch } from '../features/oauth/search.ts'
import { pricingSearch } from '../features/pricing/search.ts'
import { invitationSearch, registerSearch } from '../features/register/search.ts'
import { resetSearch } from '../features/reset/search.ts'
import { statusSearch } from '../features/status/search.ts'
import { loadOwnTexts, loadTexts } from '../i18n/index.ts'
import { statusQuery } from '../lib/api/status.ts'
import { writeLocal } from '../lib/browser/local-store.ts'
import { currentUser } from '../lib/session/session.ts'
import { plainRoute } from './layout-routes.ts'

const homeRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/',
  loader: () => loadTexts('home'),
  component: lazyRouteComponent(() => import('../features/home/page.tsx'), 'HomePage'),
})

const aboutRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/about',
  loader: () => loadTexts(),
  component: lazyRouteComponent(() => import('../features/about/page.tsx'), 'AboutPage'),
})

/** The page of a link to a charge. */
const chargeRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/charge/$token',
  loader: () => loadTexts('logs'),
  component: lazyRouteComponent(
    () => import('../features/logs/explained/linked-page.tsx'),
    'LinkedChargePage',
  ),
})

const docsRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/docs',
  validateSearch: docsSearch,
  loader: () => loadTexts('docs'),
  component: lazyRouteComponent(() => import('../features/docs/page.tsx'), 'DocsPage'),
})

const setupRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/setup',
  loader: () => loadTexts('setup'),
  component: lazyRouteComponent(() => import('../features/setup/page.tsx'), 'SetupPage'),
})

const loginRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/login',
  validateSearch: loginSearch,
  beforeLoad: ({ search }) => {
    if (currentUser() && !search.expired) throw redirect({ to: '/token' })
    storeInviteCode(search.aff)
  },
  loader: () => loadOwnTexts('login'),
  component: lazyRouteComponent(() => import('../features/login/page.tsx'), 'LoginPage'),
})

/** The address to which sign-in providers send the browser back. */
const oauthRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/oauth/$provider',
  validateSearch: oauthSearch,
  beforeLoad: ({ params }) => {
    if (!isCodeProvider(params.provider)) throw notFound()
  },
  loader: () => loadTexts('login'),
  component: lazyRouteComponent(() => import('../features/oauth/page.tsx'), 'OauthPage'),
})

const accountTexts = () => loadTexts('account', 'login')

/** Stores the invite code of a link until the person creates an account, on any page. */
function storeInviteCode(code: string | undefined): void {
  if (code) writeLocal('aff', code)
}

const invitationRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/invitation',
  validateSearch: invitationSearch,
  loader: accountTexts,
  component: lazyRouteComponent(() => import('../features/register/invitation-page.tsx'), 'InvitationPage'),
})

const registerRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/register',
  validateSearch: registerSearch,
  beforeLoad: ({ search }) => {
    if (currentUser()) throw redirect({ to: '/token' })
    storeInviteCode(search.aff)
  },
  loader: accountTexts,
  component: lazyRouteComponent(() => import('../features/register/page.tsx'), 'RegisterPage'),
})

const resetRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/reset',
  loader: accountTexts,
  component: lazyRouteComponent(() => import('../features/reset/page.tsx'), 'ResetRequestPage'),
})

/** The address of the mailed link. */
const resetConfirmRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/user/reset',
  validateSearch: resetSearch,
  loader: accountTexts,
  component: lazyRouteComponent(() => import('../features/reset/page.tsx'), 'ResetConfirmPage'),
})

const pricingRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/pricing',
  validateSearch: pricingSearch,
  loader: () => loadTexts('pricing', 'prices'),
  component: lazyRouteComponent(() => import('../features/pricing/page.tsx'), 'PricingPage'),
})

/** An unknown address unless the operator shows the page. */
const statusRoute = createRoute({
  getParentRoute: () => plainRoute,
  path: '/status',
  validateSearch: statusSearch,
  beforeLoad: async ({ context }) => {
    const { enable_status_page: isOn } = await context.queryClient.ensureQueryData(statusQuery)
    if (!isOn) throw notFound()
  },
  loader: () => loadTexts('statusPage'),
  component: lazyRouteComponent(() => import('../features/status/page.tsx'), 'StatusPage'),
})

/** Pages that need no login. */
export const publicRoutes = plainRoute.addChildren([
  homeRoute,
  aboutRoute,
  chargeRoute,
  docsRoute,
  pricingRoute,
  statusRoute,
  loginRoute,
  registerRoute,
  invitationRoute,
  resetRoute,
  resetConfirmRoute,
  oauthRoute,
  setupRoute,
])
