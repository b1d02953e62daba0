import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import { actAsOneself } from '../../lib/session/session.ts'
import { leaveView } from '../../lib/session/view.ts'

/** Ends the view of this tab, here and at the server. */
export async function endView(userId: number): Promise<void> {
  actAsOneself()
  // A view that the server does not end now ends by its time.
  await request(calls.userAdmin.endView, { params: { id: userId } }).catch(() => undefined)
  leaveView()
}
