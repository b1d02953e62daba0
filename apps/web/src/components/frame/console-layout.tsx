import '../../styles/pages.css'
import { Outlet } from '@tanstack/react-router'
import { Footer } from './footer.tsx'
import { PageHotkeys } from './page-hotkeys.tsx'
import { SideMenu } from './side-menu.tsx'
import { SiteNotice } from './site-notice.tsx'

/** Console pages: side menu, and a content area that scrolls by itself on a desk and with the page on a phone. */
export function ConsoleLayout() {
  return (
    <div className="flex min-h-0 flex-1">
      <SideMenu />
      <div className="flex min-w-0 flex-1 flex-col sm:overflow-y-auto">
        {/* A page that fills the window leaves room for the footer; others push it down. */}
        <main id="content" tabIndex={-1} className="flex-1 outline-none sm:has-[[data-fill]]:min-h-[25rem]">
          <Outlet />
        </main>
        <Footer compact />
      </div>
      <SiteNotice />
      <PageHotkeys />
    </div>
  )
}

/** Pages of others in a frame: the whole window below the top bar. */
export function EmbeddedLayout() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <Outlet />
        <PageHotkeys />
      </main>
      <Footer compact />
    </div>
  )
}
