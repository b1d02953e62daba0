import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
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

/** Public pages: no side menu, the footer at the end. */
export function PlainLayout() {
  return (
    <div className="flex min-h-0 flex-1 flex-col sm:overflow-y-auto">
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}

/** Pages of others in a frame: the whole window below the top bar. */
export function EmbeddedLayout() {
  return (
    <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      <Outlet />
    </main>
  )
}
