import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import { currentUser, logOutEverywhere } from '../../lib/session/session.ts'
import { currentView } from '../../lib/session/view.ts'
import { toast } from '../../lib/toast.ts'

/** Ends the session and forgets everything that was read in it. */
export function useLogout(): () => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async () => {
    const user = currentUser()
    if (user !== undefined && currentView() !== undefined) {
      const { endView } = await import('./end-view.ts')
      return endView(user.id)
    }
    try {
      await request(calls.users.logout)
    } catch (cause) {
      // The cookie may still be good: saying "logged out" would be wrong.
      toast.error(cause instanceof Error ? cause.message : String(cause))
      return
    }
    logOutEverywhere()
    await navigate({ to: '/login' })
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
    toast.clear()
  }
}
