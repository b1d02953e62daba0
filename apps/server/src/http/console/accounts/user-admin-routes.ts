import {
  calls,
  type Language,
  type ListedUser,
  type ManagedUser,
  type RowOutcome,
  roles,
  userStatuses,
} from '@tollgate/api'
import type { Ledger } from '../../../billing/ledger-types.ts'
import type { User } from '../../../store/repositories/users.ts'
import type { Store } from '../../../store/store.ts'
import { type CreateUserDependencies, createUser } from '../../../users/manage/create-user.ts'
import { getManagedUser, invitersOf, listUsers, type UserPage } from '../../../users/manage/list-users.ts'
import {
  type ManagedOutcome,
  type ManageUsersDependencies,
  manageUsers,
} from '../../../users/manage/manage-users.ts'
import { type UpdateUserDependencies, updateUser } from '../../../users/manage/update-user.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { deletionTime, toWireUser } from './user-wire.ts'

export interface UserAdminDependencies
  extends CreateUserDependencies,
    UpdateUserDependencies,
    ManageUsersDependencies {
  readonly store: Pick<Store, 'users' | 'transaction'>
  readonly auditLog: CreateUserDependencies['auditLog'] & ManageUsersDependencies['auditLog']
  readonly ledger: UpdateUserDependencies['ledger'] & Pick<Ledger, 'unflushed'>
}

/** What administrators do with users. */
export function userAdminRoutes(deps: UserAdminDependencies): ConsoleRoute[] {
  const { userAdmin } = calls
  const wire = async (user: User) => withInviter(user, await invitersOf(deps, [user]))
  const withInviter = (user: User, inviters: ReadonlyMap<number, User>): ListedUser => ({
    ...toWireUser(user, deps.ledger),
    inviter_name: inviters.get(user.inviterId)?.username ?? '',
  })
  async function page({ users, total }: UserPage, query: { readonly p: number; readonly page_size: number }) {
    const inviters = await invitersOf(deps, users)
    const items = users.map((user) => withInviter(user, inviters))
    return { data: { items, total, page: query.p, page_size: query.page_size } }
  }
  return [
    route(userAdmin.list, async ({ query }) => page(await listUsers(deps, query), query)),
    route(userAdmin.search, async ({ query }) => page(await listUsers(deps, query), query)),
    route(userAdmin.get, async ({ params }, { caller }) => ({
      data: await wire(await getManagedUser(deps, caller, params.id)),
    })),
    route(userAdmin.create, async ({ body }, { actor }) => ({
      data: await wire(await createUser(deps, actor, body)),
    })),
    route(userAdmin.update, async ({ body }, { actor, language, clientAddress: address }) => ({
      data: await wire(await updateUser(deps, actor, body, { language, address })),
    })),
    route(userAdmin.manage, async ({ body }, { actor }) => ({
      data: managed(await manageUsers(deps, actor, [body.id], body.action)),
    })),
    route(userAdmin.manageBatch, async ({ body }, { actor, language }) => {
      const outcomes = (await manageUsers(deps, actor, body.ids, body.action)).map((outcome) =>
        toRowOutcome(outcome, language),
      )
      return { data: outcomes.filter(({ success }) => success).length, extra: { outcomes } }
    }),
    route(userAdmin.delete, async ({ params }, { actor }) => {
      managed(await manageUsers(deps, actor, [params.id], 'delete'))
      return { data: undefined }
    }),
  ]
}

/** The one user that was acted on; throws what was refused. */
function managed(outcomes: readonly ManagedOutcome[]): ManagedUser {
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('nobody was acted on')
  if ('refusal' in outcome) throw outcome.refusal
  const { id, role, status, deletedAt } = outcome.user
  return { id, role: roles[role], status: userStatuses[status], DeletedAt: deletionTime(deletedAt) }
}

function toRowOutcome(outcome: ManagedOutcome, language: Language): RowOutcome {
  if ('user' in outcome) return { id: outcome.id, success: true, message: '' }
  const { id, refusal } = outcome
  return { id, success: false, message: refusal.publicMessage(language), code: refusal.code }
}
