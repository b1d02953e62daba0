import { createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { PageError, UnknownAddress } from '../components/frame/error-pages.tsx'
import { Frame } from '../components/frame/frame.tsx'
import { PlainLayout } from '../components/frame/layouts.tsx'
import { loadTexts } from '../i18n/index.ts'
import { type RouterContext, requireLogin, requireSetup } from './guards.ts'

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Frame,
  notFoundComponent: UnknownAddress,
  errorComponent: PageError,
})

/** Public pages. */
export const plainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'plain',
  beforeLoad: requireSetup,
  component: PlainLayout,
})

/** Pages with the side menu: all of them need a login. */
export const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  beforeLoad: async (guard) => {
    await requireSetup(guard)
    requireLogin(guard)
  },
  loader: () => loadTexts(),
  component: lazyRouteComponent(() => import('../components/frame/console-layout.tsx'), 'ConsoleLayout'),
})

/** Pages with foreign content under the top bar: they need a login too. */
export const embeddedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'embedded',
  beforeLoad: async (guard) => {
    await requireSetup(guard)
    requireLogin(guard)
  },
  loader: () => loadTexts(),
  component: lazyRouteComponent(() => import('../components/frame/console-layout.tsx'), 'EmbeddedLayout'),
})

/** Decides whether pages of this layout are for people who are logged in. */
export function needsLogin(layout: string): boolean {
  return layout === consoleRoute.id || layout === embeddedRoute.id
}
