import { calls } from '@tollgate/api'
import type { Inviting } from '../../../accounts/users/manage/invite.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** Invitations of colleagues: by administrators, and by whoever has the link. */
export function invitationRoutes({ inviting }: { readonly inviting: Inviting }): ConsoleRoute[] {
  const { invitations } = calls
  return [
    route(invitations.list, async (_, { actor }) => [...(await inviting.list(actor))]),
    route(invitations.create, ({ body }, { actor, language }) => inviting.create(actor, body, language)),
    route(invitations.revoke, ({ params }, { actor }) => inviting.revoke(actor, params.id)),
    route(invitations.look, ({ body }) => inviting.look(body.token)),
    route(invitations.accept, async ({ body }, { clientAddress }) => {
      await inviting.accept(body, clientAddress)
    }),
  ]
}
