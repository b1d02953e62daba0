import { calls } from '@tollgate/api'
import type { Tokens } from '../../tokens/tokens.ts'
import { type ConsoleRoute, route } from './route.ts'
import { bulkAnswer } from './row-outcomes.ts'
import { toWireToken } from './token-wire.ts'

export function tokenRoutes({ tokens }: { readonly tokens: Tokens }): ConsoleRoute[] {
  return [
    ...[calls.tokens.list, calls.tokens.search].map((call) =>
      route(call, async ({ query }, { caller }) => {
        const { rows, total } = await tokens.list(caller, query)
        return { data: rows.map(toWireToken), extra: { total } }
      }),
    ),
    route(calls.tokens.batch, async ({ body }, { caller, language }) =>
      bulkAnswer(await tokens.changeMany(caller, body), language),
    ),
    route(calls.tokens.get, async ({ params }, { caller }) => ({
      data: toWireToken(await tokens.get(caller, params.id)),
    })),
    route(calls.tokens.create, async ({ body }, { caller }) => ({
      data: toWireToken(await tokens.create(caller, body)),
    })),
    route(calls.tokens.update, async ({ query, body }, { caller }) => ({
      data: toWireToken(
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
