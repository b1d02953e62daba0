import { useRouterState } from '@tanstack/react-router'
import { useUser } from '../../lib/session/session.ts'

/** Public pages that people read while they work. Home, set-up, chats and the account pages stand alone. */
const besideMenu: ReadonlySet<string> = new Set(['/pricing', '/status', '/about', '/docs'])

/** Decides whether the page is one of the console's: its side menu has all that the top bar has on others. */
export function useIsConsole(): boolean {
  const user = useUser()
  return useRouterState({
    select: ({ matches }) => user !== undefined && matches.some(({ routeId }) => routeId === '/console'),
  })
}

/** Decides whether a public page has the side menu below its top bar, for people who are logged in. */
export function useMenuBesidePublicPage(): boolean {
  const user = useUser()
  return useRouterState({
    select: ({ location }) => user !== undefined && besideMenu.has(location.pathname),
  })
}
