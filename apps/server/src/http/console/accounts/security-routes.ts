import { accessTokenResource, calls, type SecurityEventRow } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { SecurityEventPages } from '../../../accounts/users/login/security-event-pages.ts'
import type { SecurityEvents } from '../../../accounts/users/login/security-events.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { SecurityEvent } from '../../../store/accounts/security-events.ts'
import { csvFile, exportRecord } from '../csv-file.ts'
import { type ConsoleRoute, pageResult, route } from '../route.ts'
import { occurrenceOf } from './browser.ts'

interface Dependencies {
  readonly users: Pick<Users, 'accessTokens' | 'ownerOf'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
  readonly pages: SecurityEventPages
  readonly clock: Clock
}

/** Routes of events about accounts, and of the caller's own access tokens. */
export function securityRoutes(deps: Dependencies): readonly ConsoleRoute[] {
  return [...eventRoutes(deps), ...accessTokenRoutes(deps)]
}

function eventRoutes({ pages, clock }: Dependencies): readonly ConsoleRoute[] {
  return [
    route(calls.securityEvents.listSelf, async ({ query }, { caller }) =>
      pageResult(query, await pages.listOwn(caller.userId, query), toEventRow),
    ),
    route(calls.securityEvents.list, async ({ query }) =>
      pageResult(query, await pages.list(query), toEventRow),
    ),
    route(calls.securityEvents.export, ({ query }) => ({
      ...csvFile('security-events', pages.export(query), query, unixSeconds(clock)),
      ...exportRecord('log.export-security-events', { kind: 'log', name: 'security events' }, query),
    })),
  ]
}

function accessTokenRoutes({ users, securityEvents }: Dependencies): readonly ConsoleRoute[] {
  const { accessTokens } = users
  return [
    route(calls.accessTokens.list, async (_, { caller }) =>
      (await accessTokens.listOwn(caller.userId)).map(accessTokenResource.toWire),
    ),
    route(calls.accessTokens.create, async ({ body }, context) => {
      const { created, secret } = await accessTokens.create(await users.ownerOf(context), body)
      return { ...accessTokenResource.toWire(created), token: secret }
    }),
    route(calls.accessTokens.remove, async ({ params }, context) => {
      await accessTokens.remove(context.caller.userId, params.id)
      await securityEvents.record(occurrenceOf('access-token-removed', context))
    }),
  ]
}

function toEventRow(event: SecurityEvent): SecurityEventRow {
  return {
    id: event.id,
    created_at: event.createdAt,
    kind: event.kind,
    user_id: event.userId,
    username: event.username,
    detail: event.detail,
    address: event.address,
    user_agent: event.userAgent,
  }
}
