import { isObject, type JsonObject } from '@tollgate/formats'
import type { Tier } from '../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { Affinity, AffinitySource } from './plan.ts'

/**
 * Header fields by which clients name their session: Codex, opencode, Claude Code.
 * https://code.claude.com/docs/en/llm-gateway
 */
const sessionFields = ['session-id', 'session_id', 'x-session-id', 'x-claude-code-session-id'] as const

/** More of a name, or of a conversation's beginning, is not read. */
const longestHint = 1024
const longestConversation = 8192

/** `undefined` where there is only one choice, affinity is switched off, or the call names no session. */
export function affinityOf(
  call: RelayCall<ModelRequest>,
  tiers: readonly Tier[],
  { current }: SettingsReader,
): Affinity | undefined {
  if (!current.SessionAffinityEnabled || !tiers.some(hasChoice)) return undefined
  const { body } = call.request.native
  // Sessions of two users may have the same name.
  const seeded = (by: AffinitySource, text: string) => ({
    by,
    seed: Bun.hash.xxHash32(text.slice(0, longestConversation), call.caller.user.id),
  })
  const cacheKey = hint(body.prompt_cache_key)
  if (cacheKey !== undefined) return seeded('prompt_cache_key', cacheKey)
  const session = sessionIn(call)
  if (session !== undefined) return seeded('session_id', session)
  const userId = call.request.format === 'anthropic-messages' ? userIdIn(body) : undefined
  if (userId !== undefined) return seeded('user_id', userId)
  if (!current.ConversationAffinityEnabled || call.mode !== 'chat') return undefined
  return seeded('conversation', beginning(call.request))
}

function hasChoice({ channels }: Tier): boolean {
  return channels.length > 1 || (channels[0]?.keys.length ?? 0) > 1
}

function sessionIn({ headers }: RelayCall<ModelRequest>): string | undefined {
  for (const field of sessionFields) {
    const found = hint(headers.get(field))
    if (found !== undefined) return found
  }
  return undefined
}

/** Claude Code names user, account and session in it; other clients their end user. */
function userIdIn({ metadata }: JsonObject): string | undefined {
  return isObject(metadata) ? hint(metadata.user_id) : undefined
}

function hint(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longestHint ? value : undefined
}

/** Instructions and the first thing that was asked: what the later turns of a conversation begin with, too. */
function beginning(request: ModelRequest): string {
  const { messages, texts } = request.prompt()
  const firstQuestion = messages.findIndex(({ role }) => role === 'user')
  const first = messages.slice(0, firstQuestion + 1).flatMap((message) => message.texts)
  return [...first, ...texts].join('\n')
}
