import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useLocal } from '../../lib/browser/local-store.ts'
import { cx } from '../../lib/cx.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { useUser } from '../../lib/session/session.ts'
import { Footer } from './footer.tsx'
import { useMenuBesidePublicPage } from './use-side-menu.ts'

/** Visitors have no menu: its code is not theirs to wait for. */
const PageHotkeys = lazyComponent(() => import('./page-hotkeys.tsx'), 'PageHotkeys')
const SideMenu = lazyComponent(() => import('./side-menu.tsx'), 'SideMenu')

/** Public pages: the footer at the end, and the side menu for people who came from the console. */
export function PlainLayout() {
  const user = useUser()
  return (
    <div className="flex min-h-0 flex-1">
      {useMenuBesidePublicPage() && (
        <Suspense fallback={<MenuRoom />}>
          <SideMenu underTopBar />
        </Suspense>
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col sm:overflow-y-auto">
        <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          <Outlet />
        </main>
        <Footer />
      </div>
      <Suspense>{user && <PageHotkeys />}</Suspense>
    </div>
  )
}

/** Reserves the width of the menu that is still loading, so that the page does not move. */
function MenuRoom() {
  const collapsed = useLocal('default_collapse_sidebar') === 'true'
  return (
    <div
      className={cx(
        'shrink-0 border-r bg-surface max-sm:hidden',
        collapsed ? 'w-13' : 'w-13 min-[1024px]:w-52',
      )}
    />
  )
}
