import { calls } from '@tollgate/api'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { OwnedToken, Tokens } from '../../../tokens/tokens.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { bulkResult } from '../row-outcomes.ts'
import { toMaskedToken, toWireToken } from './token-wire.ts'

interface Dependencies {
  readonly tokens: Tokens
  readonly settings: SettingsReader
}

export function tokenRoutes({ tokens, settings }: Dependencies): ConsoleRoute[] {
  const toWire = (token: OwnedToken) =>
    settings.current.TokenKeyMaskingEnabled ? toMaskedToken(token) : toWireToken(token)
  return [
    ...[calls.tokens.list, calls.tokens.search].map((call) =>
      route(call, async ({ query }, { caller }) => {
        const { rows, total } = await tokens.list(caller, query)
        return { data: rows.map(toWire), extra: { total } }
      }),
    ),
    route(calls.tokens.batch, async ({ body }, { caller, language }) =>
      bulkResult(await tokens.changeMany(caller, body), language),
    ),
    route(calls.tokens.reveal, async ({ body }, { actor }) => ({
      data: await tokens.reveal(actor, body.ids),
    })),
    route(calls.tokens.get, async ({ params }, { caller }) => ({
      data: toWire(await tokens.get(caller, params.id)),
    })),
    route(calls.tokens.create, async ({ body }, { caller }) => ({
      data: toWireToken(await tokens.create(caller, body)),
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
