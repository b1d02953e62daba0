import { isObject, type JsonObject } from '@tollgate/formats'
import type { ChannelSnapshot, Tier } from '../../../channels/routing/routing-types.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import { sessionFields } from '../dialects/caller-fields.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import { type Affinity, type AffinitySource, plan, planOne, type RoutePlan } from './plan.ts'

/**
 * The channels that may serve a call, in the order in which they are tried.
 * @throws RelayError when no channel serves the model to the caller's group
 * @step
 */
export function route(call: RelayCall<ModelRequest>, deps: RelayDependencies): RoutePlan {
  const { caller, request } = call
  const { snapshot } = deps.channels
  if (caller.pinnedChannelId !== undefined) return pinned(caller.pinnedChannelId, snapshot)
  const routePlan = plan(request.model, caller.group, snapshot, deps.random, (tiers) =>
    affinityOf(call, tiers, deps.settings),
  )
  if (routePlan !== undefined) {
    call.trace.affinity = routePlan.affinity
    return routePlan
  }
  if (snapshot.knowsModel(request.model)) {
    if (!snapshot.lists(caller.group, request.model))
      throw new RelayError(
        'model_not_in_group',
        `No channel of group ${caller.group} serves the model ${request.model}. Use another model, or a key of another group.`,
        { param: 'model', upstreamCode: 'no_available_channel' },
      )
    throw new RelayError(
      'no_available_channel',
      `No channel of group ${caller.group} can serve the model ${request.model} right now. Try again later or use another model.`,
      { param: 'model' },
    )
  }
  throw new RelayError(
    'model_not_found',
    `The model ${request.model} does not exist or you have no access to it. GET /v1/models lists the models you can use.`,
    { param: 'model' },
  )
}

function pinned(id: number, snapshot: ChannelSnapshot): RoutePlan {
  const channel = snapshot.channel(id)
  if (channel === undefined)
    throw new RelayError('channel_pin_invalid', `There is no channel ${id}.`, {
      messageParams: { channel: id },
    })
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', `Channel ${id} is disabled.`, { messageParams: { channel: id } })
  return planOne(channel)
}

/** More of a name, or of a conversation's beginning, is not read. */
const maxHint = 1024
const maxConversation = 8192

/** `undefined` where there is only one choice, affinity is switched off, or the call names no session. */
function affinityOf(
  call: RelayCall<ModelRequest>,
  tiers: readonly Tier[],
  { current }: SettingsReader,
): Affinity | undefined {
  if (!current.SessionAffinityEnabled || !tiers.some(hasChoice)) return undefined
  const { body } = call.request.native
  // Sessions of two users may have the same name.
  const seeded = (by: AffinitySource, text: string) => ({
    by,
    seed: Bun.hash.xxHash32(text.slice(0, maxConversation), call.caller.user.id),
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
  return typeof value === 'string' && value !== '' && value.length <= maxHint ? value : undefined
}

/** Instructions and the first thing that was asked: what the later turns of a conversation begin with, too. */
function beginning(request: ModelRequest): string {
  const { messages, texts } = request.prompt()
  const firstQuestion = messages.findIndex(({ role }) => role === 'user')
  const first = messages.slice(0, firstQuestion + 1).flatMap((message) => message.texts)
  return [...first, ...texts].join('\n')
}
