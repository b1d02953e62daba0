import { calls, tokenResource } from '@tollgate/api'
import type { Tokens } from '../../../accounts/tokens/tokens.ts'
import { getManagedUser } from '../../../accounts/users/manage/list-users.ts'
import type { Activity } from '../../../telemetry/statistics/activity.ts'
import { type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly activity: Activity
  readonly tokens: Pick<Tokens, 'get' | 'list'>
  readonly users: Parameters<typeof getManagedUser>[0]
}

/** Keys of a user that administrators see; there may be many more. */
const visibleKeys = 5

/** Routes of the recent activity of a user or a key. */
export function activityRoutes({ activity, tokens, users }: Dependencies): ConsoleRoute[] {
  return [
    route(calls.userAdmin.activity, async ({ params: { id: userId }, query }, { caller }) => {
      const { group } = await getManagedUser(users, caller, userId)
      const [done, keys] = await Promise.all([
        activity.ofUser(userId, query),
        tokens.list({ userId, group }, { p: 0, size: visibleKeys, sort: 'accessed_time' }),
      ])
      return { ...done, keys: { total: keys.total, items: keys.rows.map(briefOf) } }
    }),
    route(calls.tokens.calls, async ({ params, query }, { caller }) => {
      // Refuses keys of others.
      const { id } = await tokens.get(caller, params.id)
      return activity.callsOfToken(id, query)
    }),
  ]
}

function briefOf(token: Parameters<typeof tokenResource.toWire>[0]) {
  const { id, name, status, used_quota, accessed_time } = tokenResource.toWire(token)
  return { id, name, status, used_quota, accessed_time }
}
