import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import { logOutEverywhere } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'

/** Ends the session and forgets everything that was read in it. */
export function useLogout(): () => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async () => {
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
