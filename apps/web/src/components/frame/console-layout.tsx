import '../../styles/pages.css'
import { Outlet } from '@tanstack/react-router'
import { PageKeys } from './page-keys.tsx'
import { SideMenu } from './side-menu.tsx'
import { SiteNotice } from './site-notice.tsx'

/** Console pages: side menu, and a content area that scrolls by itself on a desk and with the page on a phone. */
export function ConsoleLayout() {
  return (
    <div className="flex min-h-0 flex-1">
      <SideMenu />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none sm:overflow-y-auto">
        <Outlet />
      </main>
      <SiteNotice />
      <PageKeys />
    </div>
  )
}
