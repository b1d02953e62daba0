import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useUser } from '../../lib/session.ts'
import { Footer } from './footer.tsx'
import { SideMenu } from './side-menu.tsx'

const SiteNotice = lazy(() => import('./site-notice.tsx').then((module) => ({ default: module.SiteNotice })))

/** Console pages: side menu, and a content area that scrolls by itself on a desk and with the page on a phone. */
export function ConsoleLayout() {
  return (
    <div className="flex min-h-0 flex-1">
      <SideMenu />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none sm:overflow-y-auto">
        <Outlet />
      </main>
      <Suspense>
        <SiteNotice />
      </Suspense>
    </div>
  )
}

/** Public pages: the footer at the end, and the side menu for people who came from the console. */
export function PlainLayout() {
  const user = useUser()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const withMenu = user !== undefined && besideMenu.has(path)
  return (
    <div className="flex min-h-0 flex-1">
      {withMenu && <SideMenu />}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col sm:overflow-y-auto">
        <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          <Outlet />
        </main>
        <Footer />
      </div>
    </div>
  )
}

/** Public pages that people read while they work. Home, set-up and the account pages stand alone. */
const besideMenu: ReadonlySet<string> = new Set(['/pricing', '/about', '/docs'])

/** Pages of others in a frame: the whole window below the top bar. */
export function EmbeddedLayout() {
  return (
    <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      <Outlet />
    </main>
  )
}
