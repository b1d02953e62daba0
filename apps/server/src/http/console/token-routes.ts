import { calls, tokenStatuses, type Token as WireToken } from '@tollgate/api'
import { neverExpires } from '../../tokens/token-fields.ts'
import type { OwnedToken, Tokens } from '../../tokens/tokens.ts'
import { type ConsoleRoute, route } from './route.ts'
import { bulkAnswer } from './row-outcomes.ts'

export function tokenRoutes({ tokens }: { readonly tokens: Tokens }): ConsoleRoute[] {
  return [
    ...[calls.tokens.list, calls.tokens.search].map((call) =>
      route(call, async ({ query }, { caller }) => {
        const { rows, total } = await tokens.list(caller, query)
        return { data: rows.map(toWire), extra: { total } }
      }),
    ),
    route(calls.tokens.batch, async ({ body }, { caller, language }) =>
      bulkAnswer(await tokens.changeMany(caller, body), language),
    ),
    route(calls.tokens.get, async ({ params }, { caller }) => ({
      data: toWire(await tokens.get(caller, params.id)),
    })),
    route(calls.tokens.create, async ({ body }, { caller }) => ({
      data: toWire(await tokens.create(caller, body)),
    })),
    route(calls.tokens.update, async ({ query, body }, { caller }) => ({
      data: toWire(
        query.status_only
          ? await tokens.setStatus(caller, body.id, body.status)
          : await tokens.update(caller, body),
      ),
    })),
    route(calls.tokens.delete, async ({ params }, { caller }) => {
      await tokens.delete(caller, params.id)
      return { data: undefined }
    }),
  ]
}

function toWire(token: OwnedToken): WireToken {
  return {
    id: token.id,
    user_id: token.userId,
    key: token.key,
    status: tokenStatuses[token.status],
    name: token.name,
    created_time: token.createdAt,
    accessed_time: token.accessedAt,
    expired_time: token.expiresAt ?? neverExpires,
    remain_quota: token.remainQuota,
    unlimited_quota: token.unlimitedQuota,
    used_quota: token.usedQuota,
    model_limits_enabled: token.modelLimitsEnabled,
    model_limits: token.modelLimits.join(','),
    allow_ips: token.allowIps,
    group: token.group,
    DeletedAt: null,
  }
}
