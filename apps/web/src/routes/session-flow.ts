import type { QueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { localTarget, loginSearch } from '../features/login/search.ts'
import { request } from '../lib/api/api-client.ts'
import { endProof, endReauthentication, requestReauthentication } from '../lib/session/reauthentication.ts'
import { clearUser, currentUser, remountPages, storeUser, watchOtherTabs } from '../lib/session/session.ts'
import { hasUnsavedWork } from '../lib/session/unsaved-work.ts'
import { currentView, leaveView } from '../lib/session/view.ts'
import { toast } from '../lib/toast.ts'
import type { ConsoleRouter } from '../router.ts'
import { needsLogin } from './layout-routes.ts'

/** Creates the changes of the page for a session that ends or changes, here or in another tab. */
export function createSessionFlow(router: ConsoleRouter, queryClient: QueryClient) {
  const onPersonalPage = () => router.state.matches.some(({ routeId }) => needsLogin(routeId))
  function forget(): void {
    endProof(false)
    queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'status' })
    toast.clear()
  }

  /** The way to the login and the way back to the page run one after the other: neither may overtake the other. */
  let turn = Promise.resolve()
  const inTurn = (flow: () => Promise<void>) => (turn = turn.then(flow, flow))

  /** Every call of a page may find the session over: the first one decides. */
  let expiring: Promise<void> | undefined
  function expireOnce(): void {
    expiring ??= inTurn(expire).finally(() => (expiring = undefined))
  }

  /** Public pages stay: they only lose what needed the session. */
  async function expire(): Promise<void> {
    // A view ends before the session under it.
    if (currentView() !== undefined) return leaveView()
    if (currentUser() && onPersonalPage() && hasUnsavedWork()) return requestReauthentication()
    clearUser()
    const { href, pathname } = router.state.location
    if (onPersonalPage() && pathname !== '/login')
      await router.navigate({ to: '/login', search: { expired: true, redirect: href } })
    // The next login may be another user. Where another tab logged in meanwhile, its turn comes now.
    if (!currentUser()) forget()
  }

  /**
   * Another tab removed the stored user because a call of it was refused, perhaps with a session that a login has replaced since.
   * The server says which; its refusal expires this tab as that of every call does.
   */
  async function verify(): Promise<void> {
    await request(calls.users.self).then(storeUser, () => undefined)
  }

  async function leave(): Promise<void> {
    endReauthentication()
    // The end of the session may have been noticed before it was known to be meant.
    if (onPersonalPage() || router.state.location.pathname === '/login')
      await router.navigate({ to: '/login', ignoreBlocker: true })
    forget()
    remountPages()
  }

  /** The same page, as the other person sees it. */
  async function become(): Promise<void> {
    endReauthentication()
    forget()
    remountPages()
    const { pathname, search } = router.state.location
    if (pathname === '/login') router.history.push(localTarget(loginSearch(search).redirect) ?? '/token')
    else await router.invalidate()
  }

  watchOtherTabs({
    onRenewed: () => {
      endReauthentication()
      void queryClient.invalidateQueries()
    },
    onReplaced: () => void inTurn(become),
    onExpired: () => void verify(),
    onLoggedOut: () => void leave(),
  })
  return { onUnauthorized: expireOnce }
}
