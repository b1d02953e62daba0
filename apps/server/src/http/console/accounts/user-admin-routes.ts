import { calls, type ListedUser, type ManagedUser, roles, type UserAction, userStatuses } from '@tollgate/api'
import { findClosedIdentities } from '../../../accounts/users/leave/closed-identities.ts'
import { exportAccount } from '../../../accounts/users/leave/export-account.ts'
import { mergeAccounts } from '../../../accounts/users/leave/merge-accounts.ts'
import type { ConsoleViews } from '../../../accounts/users/manage/console-views.ts'
import { createUser } from '../../../accounts/users/manage/create-user.ts'
import { getManagedUser, invitersOf, listUsers } from '../../../accounts/users/manage/list-users.ts'
import { manageUsers } from '../../../accounts/users/manage/manage-users.ts'
import type { ManyUsers } from '../../../accounts/users/manage/many-users.ts'
import { isNearActor } from '../../../accounts/users/manage/near-accounts.ts'
import { passRoot, setParts } from '../../../accounts/users/manage/set-parts.ts'
import { updateUser } from '../../../accounts/users/manage/update-user.ts'
import type { Ledger } from '../../../billing/ledger-types.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { User } from '../../../store/accounts/users.ts'
import { bulkResult, type ConsoleRoute, pageResult, route } from '../route.ts'
import { clientInfoOf } from './browser.ts'
import { deletionTime, toSessionUser, toWireUser } from './user-wire.ts'

type Actor = Parameters<typeof manageUsers>[1]

type UserAdminDependencies = Parameters<typeof createUser>[0] &
  Parameters<typeof updateUser>[0] &
  Parameters<typeof manageUsers>[0] &
  Parameters<typeof exportAccount>[0] &
  Parameters<typeof mergeAccounts>[0] & {
    readonly ledger: Pick<Ledger, 'unflushed'>
    readonly manyUsers: ManyUsers
    readonly users: { readonly views: Pick<ConsoleViews, 'start' | 'end'> }
  }

/** Administration of users. */
export function userAdminRoutes(deps: UserAdminDependencies): ConsoleRoute[] {
  const { userAdmin } = calls
  const toWire = (user: User, inviters: ReadonlyMap<number, User>): ListedUser => ({
    ...toWireUser(user, deps.ledger),
    inviter_name: inviters.get(user.inviterId)?.username ?? '',
  })
  const wire = async (user: User) => toWire(user, await invitersOf(deps, [user]))
  const page = async (query: Parameters<typeof listUsers>[1]) => {
    const { inviters, ...found } = await listUsers(deps, query)
    return pageResult(query, found, (user) => toWire(user, inviters))
  }
  const manageOne = async (actor: Actor, id: number, action: UserAction): Promise<ManagedUser> => {
    const [outcome] = await manageUsers(deps, actor, [id], action)
    if (outcome?.user === undefined) throw outcome?.refusal ?? new Error('no outcome')
    return toManaged(outcome.user)
  }
  return [
    route(userAdmin.list, ({ query }) => page(query)),
    route(userAdmin.search, ({ query }) => page(query)),
    route(userAdmin.get, async ({ params }, { caller }) => {
      const user = await getManagedUser(deps, caller, params.id)
      return { ...(await wire(user)), near_caller: await isNearActor(deps.store, caller, user) }
    }),
    route(userAdmin.create, async ({ body }, { actor }) => wire(await createUser(deps, actor, body))),
    route(userAdmin.update, async ({ body }, context) =>
      wire(await updateUser(deps, context.actor, body, clientInfoOf(context))),
    ),
    route(userAdmin.manage, async ({ body: { id, username = '', action } }, { actor }) =>
      manageOne(actor, id ?? (await idOfName(deps, username)), action),
    ),
    route(userAdmin.manageBatch, async ({ body }, { actor, language }) =>
      bulkResult(await manageUsers(deps, actor, body.ids, body.action), language),
    ),
    route(userAdmin.previewMany, ({ body }, { actor }) => deps.manyUsers.preview(actor, body)),
    route(userAdmin.changeMany, ({ body }, { actor }) => deps.manyUsers.change(actor, body)),
    route(userAdmin.setParts, async ({ params, body }, { actor }) =>
      wire(await setParts(deps, actor, params.id, body.parts)),
    ),
    route(userAdmin.passRoot, async ({ params }, { actor }) =>
      toManaged(await passRoot(deps, actor, params.id)),
    ),
    route(userAdmin.export, async ({ params }, { actor, language }) => ({
      ...(await exportAccount(deps, actor, params.id, language)),
      contentType: 'application/json',
      filename: `user-${params.id}.json`,
    })),
    route(userAdmin.merge, async ({ params, body }, { actor }) =>
      wire(await mergeAccounts(deps, actor, body.from, params.id)),
    ),
    route(userAdmin.view, async ({ params }, context) => {
      const { actor, sessionId = '' } = context
      const { user, endsAt } = await deps.users.views.start(
        actor,
        sessionId,
        params.id,
        clientInfoOf(context),
      )
      return { user: toSessionUser(user), ends_at: endsAt }
    }),
    route(userAdmin.endView, ({ params }, { actor, sessionId = '' }) =>
      deps.users.views.end(actor, sessionId, params.id),
    ),
    route(userAdmin.closedIdentities, ({ body }) =>
      findClosedIdentities(deps.store, body.provider, body.open),
    ),
    route(userAdmin.delete, ({ params }, { actor }) => manageOne(actor, params.id, 'delete')),
  ]
}

function toManaged({ id, role, status, deletedAt }: User): ManagedUser {
  return { id, role: roles[role], status: userStatuses[status], DeletedAt: deletionTime(deletedAt) }
}

/** The id of the user who has a name now: a former owner of the name is somebody else. */
async function idOfName({ store }: Pick<UserAdminDependencies, 'store'>, username: string): Promise<number> {
  const user = await store.users.findByLogin(username)
  if (user === undefined || user.username !== username) throw new Refusal('record_not_found')
  return user.id
}
