import { calls, keyMask, neverExpires, type Token, type TokenUsage, tokenResource } from '@tollgate/api'
import { keyEndsOf } from '../../../accounts/tokens/key-ends.ts'
import type { RotateKey } from '../../../accounts/tokens/rotate-key.ts'
import type { OwnedToken, Tokens } from '../../../accounts/tokens/tokens.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { switchLeft } from '../ignored/switch-left.ts'
import { bulkResult, type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly tokens: Tokens
  readonly rotateKey: RotateKey
  readonly settings: SettingsReader
}

export function tokenRoutes({ tokens, settings, rotateKey }: Dependencies): ConsoleRoute[] {
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
    route(calls.tokens.revealBatch, async ({ body }, { actor }) => {
      const revealed = await tokens.reveal(actor, body.ids)
      return { keys: Object.fromEntries(revealed.map(({ id, key }) => [id, key])) }
    }),
    route(calls.tokens.revealOne, async ({ params }, { actor }) => {
      const [revealed] = await tokens.reveal(actor, [params.id])
      if (revealed === undefined) throw new Refusal('record_not_found')
      return { key: revealed.key }
    }),
    route(calls.tokens.usage, async (_, { caller, say }) => {
      say('ok')
      return { data: usageOf(await tokens.get(caller, caller.tokenId)), extra: { code: true as const } }
    }),
    route(calls.tokens.get, async ({ params }, { caller }) => masked(await tokens.get(caller, params.id))),
    route(calls.tokens.create, async ({ body }, { caller }) =>
      withFullKey(await tokens.create(caller, body)),
    ),
    route(calls.tokens.update, async ({ query, body }, { caller, warn }) => {
      if (query.status_only) return masked(await tokens.setStatus(caller, body.id, body.status))
      const updated = masked(await tokens.update(caller, body))
      warn('unchanged', switchLeft(body, updated))
      return updated
    }),
    route(calls.tokens.rotate, async ({ params: { id }, body }, { caller, actor }) => {
      await rotateKey.rotate(actor, id, body.overlap_seconds)
      return withFullKey(await tokens.get(caller, id))
    }),
    route(calls.tokens.formerKeys, ({ params }, { caller }) =>
      rotateKey.listFormer(caller.userId, params.id),
    ),
    route(calls.tokens.endFormerKeys, ({ params }, { actor }) => rotateKey.endFormer(actor, params.id)),
    route(calls.tokens.delete, ({ params }, { caller }) => tokens.delete(caller, params.id)),
  ]
}

function usageOf(token: OwnedToken): TokenUsage {
  const { name, remain_quota, used_quota, unlimited_quota, expired_time, ...limits } = withFullKey(token)
  const models = limits.model_limits.split(',').filter((model) => model !== '')
  return {
    object: 'token_usage',
    name,
    total_granted: remain_quota + used_quota,
    total_used: used_quota,
    total_available: remain_quota,
    unlimited_quota,
    model_limits: Object.fromEntries(models.map((model) => [model, true as const])),
    model_limits_enabled: limits.model_limits_enabled,
    expires_at: expired_time === neverExpires ? 0 : expired_time,
  }
}

function withFullKey(token: OwnedToken): Token {
  return { ...tokenResource.toWire(token), DeletedAt: null }
}

function maskedKey({ key }: OwnedToken): string {
  const { keyHead, keyTail } = keyEndsOf(key)
  return keyHead + keyMask + keyTail
}
