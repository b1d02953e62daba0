import { calls, keyMask, type Token, tokenResource } from '@tollgate/api'
import type { SettingsReader } from '../../../settings/settings.ts'
import { keyEndsOf } from '../../../tokens/key-ends.ts'
import type { OwnedToken, Tokens } from '../../../tokens/tokens.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { bulkResult } from '../row-outcomes.ts'

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
    route(calls.tokens.reveal, async ({ body }, { actor }) => ({
      data: await tokens.reveal(actor, body.ids),
    })),
    route(calls.tokens.get, async ({ params }, { caller }) => ({
      data: masked(await tokens.get(caller, params.id)),
    })),
    route(calls.tokens.create, async ({ body }, { caller }) => ({
      data: withFullKey(await tokens.create(caller, body)),
    })),
    route(calls.tokens.update, async ({ query, body }, { caller }) => ({
      data: masked(
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

function withFullKey(token: OwnedToken): Token {
  return { ...tokenResource.toWire(token), DeletedAt: null }
}

function maskedKey({ key }: OwnedToken): string {
  const { keyHead, keyTail } = keyEndsOf(key)
  return keyHead + keyMask + keyTail
}
