import { familyName, modelFacts } from '@tollgate/api'
import { channelTypes } from '@tollgate/api/channel-types'
import type { Reply } from '@tollgate/http/server'
import type { ChannelSnapshot } from '../../channels/routing/routing-types.ts'
import {
  type AdmissionDependencies,
  admitToken,
  type RelayCaller,
  refuseGroup,
} from '../../gateway/relay/admission.ts'
import type { DialectName } from '../../gateway/relay/dialects/dialect.ts'
import type { RelayDependencies } from '../../gateway/relay/relay-dependencies.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { servedOf } from '../../models/served-models.ts'
import { callerDialect, keyOf } from './caller-key.ts'
import { jsonReply } from './error-reply.ts'
import { pathNeeds } from './path-needs.ts'
import type { RelayContext } from './relay-context.ts'

/** Unix seconds. A fixed date: upstreams do not say when a model was made, and a changing date would defeat caches. */
const listedSince = 1_626_777_600

interface ModelsDependencies {
  readonly admission: AdmissionDependencies
  readonly relay: Pick<RelayDependencies, 'channels' | 'settings'>
}

/** The models that the caller's key reaches, as clients of its dialect list them. */
export async function listModels(context: RelayContext, deps: ModelsDependencies): Promise<Reply> {
  const dialect = callerDialect(context)
  const models = await modelsFor(context, deps)
  return jsonReply(context, modelLists[dialect].list(models, new URLSearchParams(context.query)))
}

export async function showModel(
  context: RelayContext,
  model: string,
  deps: ModelsDependencies,
): Promise<Reply> {
  const models = await modelsFor(context, deps)
  if (models.includes(model) || models.includes(familyName(model)))
    return jsonReply(context, modelLists[callerDialect(context)].one(model))
  throw new RelayError('model_not_found', `The model ${model} does not exist or you have no access to it.`, {
    param: 'model',
  })
}

async function modelsFor(context: RelayContext, deps: ModelsDependencies): Promise<readonly string[]> {
  const key = keyOf(context, callerDialect(context))
  const caller = await admitToken(key, pathNeeds.model, context, deps.admission)
  refuseGroup(caller, deps.relay)
  const { settings, channels } = deps.relay
  const { snapshot } = channels
  const models = reachableModels(caller, snapshot)
  return servedOf(models, settings.current, snapshot, caller.user.acceptsUnpricedModels)
}

/** Writes lists of models for the clients of one vendor. */
interface ModelLists {
  /** @throws RelayError for invalid paging parameters */
  readonly list: (models: readonly string[], query: URLSearchParams) => unknown
  readonly one: (model: string) => unknown
}

const openAi: ModelLists = { list: openAiList, one: openAiModel }

/** Lists of models by the dialect of the caller. */
export const modelLists: Readonly<Record<DialectName, ModelLists>> = {
  openai: openAi,
  responses: openAi,
  anthropic: { list: anthropicList, one: anthropicModel },
  gemini: { list: geminiList, one: geminiModel },
}

/** Fields of a model that older clients of gateways read. */
const permission = {
  id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
  object: 'model_permission',
  created: listedSince,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
} as const

/** https://platform.openai.com/docs/api-reference/models/object, with the fields that it once had. */
function openAiModel(id: string) {
  return {
    id,
    object: 'model',
    created: listedSince,
    owned_by: ownerOf(id),
    permission: [permission],
    root: id,
    parent: null,
  }
}

function openAiList(models: readonly string[]) {
  return { success: true, object: 'list', data: models.map(openAiModel) }
}

const anthropicSizes = { default: 20, max: 1000 } as const
const createdAt = new Date(listedSince * 1000).toISOString().replace('.000Z', 'Z')

/** https://platform.claude.com/docs/en/api/models/retrieve */
function anthropicModel(id: string) {
  return { type: 'model', id, display_name: id, created_at: createdAt }
}

/**
 * One page: `limit` models from the start, behind `after_id` or before `before_id`.
 * https://platform.claude.com/docs/en/api/models/list
 */
function anthropicList(models: readonly string[], query: URLSearchParams) {
  const limit = pageSize(query, 'limit', anthropicSizes)
  const after = query.get('after_id') ?? ''
  const before = query.get('before_id') ?? ''
  if (after !== '' && before !== '') throw invalidParameter('before_id', 'send it or after_id, not both')
  const page = before === '' ? pageAfter(models, after, limit) : pageBefore(models, before, limit)
  return {
    data: page.models.map(anthropicModel),
    has_more: page.hasMore,
    first_id: page.models[0] ?? null,
    last_id: page.models.at(-1) ?? null,
  }
}

interface Page {
  readonly models: readonly string[]
  readonly hasMore: boolean
}

function pageAfter(models: readonly string[], after: string, limit: number): Page {
  const start = after === '' ? 0 : positionOf(models, after, 'after_id') + 1
  return { models: models.slice(start, start + limit), hasMore: start + limit < models.length }
}

function pageBefore(models: readonly string[], before: string, limit: number): Page {
  const end = positionOf(models, before, 'before_id')
  const start = Math.max(0, end - limit)
  return { models: models.slice(start, end), hasMore: start > 0 }
}

function positionOf(models: readonly string[], id: string, name: string): number {
  const position = models.indexOf(id)
  if (position >= 0) return position
  throw invalidParameter(name, 'there is no such model in the list')
}

const geminiSizes = { default: 50, max: 1000 } as const
const embeddingMethods = ['embedContent', 'batchEmbedContents', 'countTokens'] as const
const chatMethods = ['generateContent', 'streamGenerateContent', 'countTokens'] as const

/** https://ai.google.dev/api/models#Model */
function geminiModel(id: string) {
  const facts = modelFacts(id)
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName: id,
    ...(facts?.contextSize !== undefined && { inputTokenLimit: facts.contextSize }),
    ...(facts?.maxOutputTokens !== undefined && { outputTokenLimit: facts.maxOutputTokens }),
    supportedGenerationMethods: methodsOf(id),
  }
}

function methodsOf(id: string): readonly string[] {
  const capabilities = modelFacts(id)?.capabilities
  const embeds = capabilities === undefined ? /embed/i.test(id) : capabilities.includes('embedding')
  return embeds ? embeddingMethods : chatMethods
}

/** One page. Its token is the last model of the page before. https://ai.google.dev/api/models#method:-models.list */
function geminiList(models: readonly string[], query: URLSearchParams) {
  const size = pageSize(query, 'pageSize', geminiSizes)
  const start = startOf(models, query.get('pageToken') ?? '')
  const page = models.slice(start, start + size)
  const last = page.at(-1)
  const hasMore = last !== undefined && start + size < models.length
  return { models: page.map(geminiModel), ...(hasMore && { nextPageToken: tokenOf(last) }) }
}

function tokenOf(model: string): string {
  return Buffer.from(model).toString('base64url')
}

/**
 * Finds the index at which a page begins after a model: one that has left the list meanwhile still has a position in the order.
 */
function startOf(models: readonly string[], token: string): number {
  if (token === '') return 0
  const last = Buffer.from(token, 'base64url').toString()
  if (tokenOf(last) !== token)
    throw invalidParameter('pageToken', 'send the nextPageToken of the page before')
  const next = models.findIndex((model) => model > last)
  return next < 0 ? models.length : next
}

interface SizeBounds {
  readonly default: number
  readonly max: number
}

/** A page's size as the caller asks for it. */
export function pageSize(
  query: URLSearchParams,
  name: string,
  { default: standard, max }: SizeBounds,
): number {
  const requested = query.get(name)
  if (requested === null || requested === '') return standard
  const size = Number(requested)
  if (/^\d+$/.test(requested) && size >= 1) return Math.min(size, max)
  throw invalidParameter(name, `it must be a whole number from 1 to ${max}`)
}

export function invalidParameter(name: string, why: string, code = 'invalid_value'): RelayError {
  return new RelayError('invalid_request', `${name} is invalid: ${why}`, { param: name, upstreamCode: code })
}

/** Models a caller can reach now: what its group is offered, narrowed by the limits of its key. Sorted. */
function reachableModels(caller: RelayCaller, snapshot: ChannelSnapshot): readonly string[] {
  const offered = snapshot.modelsOf(caller.group)
  const limits = caller.token?.modelLimits ?? null
  return limits === null ? offered : offered.filter((model) => limits.has(model))
}

let known: ReadonlyMap<string, string> | undefined

/**
 * Returns the provider that owns a model, as the catalogue of channel types has it: the first type that serves it by default; else
 * `custom`.
 */
function ownerOf(model: string): string {
  known ??= ownersOfModels()
  return known.get(model) ?? 'custom'
}

function ownersOfModels(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { owner, models } of channelTypes)
    for (const model of models) if (!found.has(model)) found.set(model, owner)
  return found
}
