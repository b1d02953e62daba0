import type { ChannelDraftBody } from '@tollgate/api'
import { channelTypes } from '@tollgate/api/channel-types'
import { Refusal } from '../../lib/refusal.ts'
import { type QueryLimits, readSmall, type SmallResponse } from '../../upstream/query.ts'
import { channelTarget, type UpstreamChannel } from '../../upstream/request-target.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { redactUpstream } from '../redaction.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'
import { callFailureOf } from '../testing/call-failure.ts'
import { keyToTest } from '../testing/channel-tester.ts'
import { routedChannel, type TestChannelDependencies } from '../testing/test-channel.ts'
import type { RouteSetter } from './channel-change.ts'
import { type DraftDependencies, draftChannel } from './draft-channel.ts'

export interface FetchModelsDependencies
  extends Omit<TestChannelDependencies, 'tester' | 'events' | 'auditLog'> {
  readonly upstreams: Upstreams
  readonly fetchModelsTimeoutMs?: number
}

const defaultTimeoutMs = 15_000
const maxResponseBytes = 8 * 1024 * 1024
const maxModels = 10_000
const maxNameLength = 255
const visibleMessageLength = 300

interface Listing {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly timeoutMs: number
}

/** Asks the upstream of a stored channel for its models. */
export async function fetchModels(id: number, deps: FetchModelsDependencies): Promise<string[]> {
  const channel = await routedChannel(id, deps)
  return listModels({ channel, keyIndex: keyToTest(channel), timeoutMs: timeoutOf(deps) }, deps)
}

/** Asks the upstream of a channel as it stands in a form for its models, with the first key in service. */
export async function fetchModelsForNew(
  body: ChannelDraftBody,
  setter: RouteSetter,
  deps: FetchModelsDependencies & DraftDependencies,
): Promise<string[]> {
  const channel = await draftChannel(body, setter, deps)
  return listModels({ channel, keyIndex: keyToTest(channel), timeoutMs: timeoutOf(deps) }, deps)
}

function timeoutOf({ fetchModelsTimeoutMs }: FetchModelsDependencies): number {
  return fetchModelsTimeoutMs ?? defaultTimeoutMs
}

/** More pages than any vendor has: bounds a list that never ends. */
const maxPages = 20

async function listModels(listing: Listing, { upstreams }: FetchModelsDependencies): Promise<string[]> {
  const { channel, keyIndex, timeoutMs } = listing
  const { models } = channel.provider
  let endpoint = models?.endpoint(channelTarget(channel, keyIndex))
  if (models === undefined || endpoint === undefined) throw new Refusal('channel_models_unlisted')
  const names = new Set<string>()
  const limits = { timeoutMs, maxBytes: maxResponseBytes, signal: AbortSignal.timeout(timeoutMs) }
  for (let page = 0; endpoint !== undefined && page < maxPages; page++) {
    const question = { channel, keyIndex, endpoint: { method: 'GET' as const, ...endpoint }, body: '' }
    const body = parse(channel, await askFor(() => upstreams.ask(question), limits))
    for (const name of models.decode(body)) names.add(name)
    endpoint = models.next?.(body, endpoint)
  }
  return [...names].filter(isUsableName).slice(0, maxModels)
}

async function askFor(send: Parameters<typeof readSmall>[0], limits: QueryLimits): Promise<SmallResponse> {
  try {
    return await readSmall(send, limits)
  } catch (error) {
    const { code, details } = callFailureOf(error, limits.timeoutMs)
    throw new Refusal(code, details, { cause: error })
  }
}

function parse(channel: UpstreamChannel, response: SmallResponse): unknown {
  if (response.status < 200 || response.status >= 300) {
    const { message } = channel.provider.decodeError(response)
    const visible = redactUpstream(message, channel).slice(0, visibleMessageLength)
    const detail =
      visible === '' ? `status code ${response.status}` : `status code ${response.status}: ${visible}`
    throw new Refusal('channel_models_fetch_failed', { detail })
  }
  try {
    return JSON.parse(response.body)
  } catch (cause) {
    throw new Refusal('channel_upstream_malformed', {}, { cause })
  }
}

function isUsableName(name: string): boolean {
  return name !== '' && name.length <= maxNameLength
}

interface KnownModel {
  readonly id: string
  readonly owned_by: string
}

/** Every model of the channel types, once each, for pickers. */
export function knownModels(): readonly KnownModel[] {
  const owners = new Map<string, string>()
  for (const type of channelTypes) {
    for (const model of type.models) if (!owners.has(model)) owners.set(model, type.name)
  }
  return [...owners].map(([id, owned_by]) => ({ id, owned_by }))
}

/** Channel type id, as text, to the models such a channel usually serves. */
export function modelsByChannelType(): Record<string, string[]> {
  return Object.fromEntries(channelTypes.map((type) => [String(type.id), [...type.models]]))
}

/** Models that any of the groups reaches through an enabled channel; sorted, each once. */
export function modelsOfGroups(snapshot: ChannelSnapshot, groups: Iterable<string>): string[] {
  const models = new Set<string>()
  for (const group of groups) for (const model of snapshot.modelsOf(group)) models.add(model)
  return [...models].sort()
}

/** Models that some enabled channel serves to some group; sorted, each once. */
export function enabledModels(snapshot: ChannelSnapshot): string[] {
  const groups = new Set(snapshot.channels.flatMap((channel) => channel.groups))
  return modelsOfGroups(snapshot, groups)
}
