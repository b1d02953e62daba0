import { calls, keyMask, type Token, tokenResource } from '@tollgate/api'
import type { SettingsReader } from '../../../settings/settings.ts'
import { keyEndsOf } from '../../../tokens/key-ends.ts'
import type { OwnedToken, Tokens } from '../../../tokens/tokens.ts'
import { bulkResult, type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly tokens: Tokens
  readonly settings: SettingsReader
}

export function tokenRoutes({ tokens, settings }: Dependencies): ConsoleRoute[] {
  const masked = (token: OwnedToken): Token =>
    withFullKey(settings.current.TokenKeyMaskingEnabled ? { ...token, key: maskedKey(token) } : token)
  return [
    ...[calls.tokens.list, calls.tokens.search].map((call) =>
      route(call, async ({ query }, { caller }) => {
        const { rows, total } = await tokens.list(caller, query)
        return { data: rows.map(masked), extra: { total } }
      }),
    ),
    route(calls.tokens.batch, async ({ body }, { caller, language }) =>
      bulkResult(await tokens.changeMany(caller, body), language),
    ),
    route(calls.tokens.reveal, ({ body }, { actor }) => tokens.reveal(actor, body.ids)),
    route(calls.tokens.get, async ({ params }, { caller }) => masked(await tokens.get(caller, params.id))),
    route(calls.tokens.create, async ({ body }, { caller }) =>
      withFullKey(await tokens.create(caller, body)),
    ),
    route(calls.tokens.update, async ({ query, body }, { caller }) =>
      masked(
        query.status_only
          ? await tokens.setStatus(caller, body.id, body.status)
          : await tokens.update(caller, body),
      ),
    ),
    route(calls.tokens.delete, ({ params }, { caller }) => tokens.delete(caller, params.id)),
  ]
}

function withFullKey(token: OwnedToken): Token {
  return { ...tokenResource.toWire(token), DeletedAt: null }
}

function maskedKey({ key }: OwnedToken): string {
  const { keyHead, keyTail } = keyEndsOf(key)
  return keyHead + keyMask + keyTail
}
