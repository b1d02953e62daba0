import '../../styles/pages.css'
import { Outlet } from '@tanstack/react-router'
import { Footer } from './footer.tsx'
import { PageHotkeys } from './page-hotkeys.tsx'

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
