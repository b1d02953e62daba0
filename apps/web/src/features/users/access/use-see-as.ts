import { calls, type ListedUser } from '@tollgate/api'
import { request } from '../../../lib/api/api-client.ts'
import { useUser } from '../../../lib/session/session.ts'
import { beginView } from '../../../lib/session/view.ts'
import { toast } from '../../../lib/toast.ts'

/** Opens the console in this tab as the user sees it. */
export function useSeeAs({ id }: Pick<ListedUser, 'id'>): () => void {
  const actor = useUser()
  async function start(): Promise<void> {
    const { user, ends_at: endsAt } = await request(calls.userAdmin.view, { params: { id } })
    beginView({ user, ownId: actor?.id ?? 0, endsAt })
  }
  return () => void start().catch((error: Error) => toast.error(error.message))
}
