import { useRouterState } from '@tanstack/react-router'
import { useUser } from '../../lib/session/session.ts'

/** Public pages that people read while they work. Home, set-up, chats and the account pages stand alone. */
const besideMenu: ReadonlySet<string> = new Set(['/pricing', '/about', '/docs'])

/** Decides whether the page has the side menu, which then has all that the top bar has on others. */
export function useHasSideMenu(): boolean {
  const user = useUser()
  return useRouterState({
    select: ({ matches, location }) =>
      user !== undefined &&
      (matches.some(({ routeId }) => routeId === '/console') || besideMenu.has(location.pathname)),
  })
}
