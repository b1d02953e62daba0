import { Outlet } from '@tanstack/react-router'
import { Footer } from './footer.tsx'

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
