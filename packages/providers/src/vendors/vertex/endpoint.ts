import { isObject, parseJson, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { pathSegment, versionedUrl } from '../../endpoint-url.ts'
import { findClaudeModel } from '../../families/claude/model-names.ts'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'

const defaultRegion = 'us-central1'
/** The region becomes a part of the host: anything else would lead elsewhere. */
const regionName = /^[a-z]+(-[a-z]+)*\d*$/

/**
 * The region that serves a model: the channel's free field is one for all, or a JSON map of them with a `default`.
 * @param names of the model, the first one in the map wins; none for calls without a model
 * @throws TypeError for an invalid region
 */
function regionOf(other: string, names: readonly string[]): string {
  const provided = other.trim()
  const map = provided.startsWith('{') ? parseJson(provided) : undefined
  const region = isObject(map) ? regionIn(map, names) : provided || defaultRegion
  if (!regionName.test(region)) throw new TypeError('the region is no name of a region')
  return region
}

function regionIn(map: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const name = names.find((each) => Object.hasOwn(map, each) && textOf(map[each]).trim() !== '')
  return textOf(map[name ?? 'default']).trim() || defaultRegion
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function hostOf(baseUrl: string, region: string): string {
  if (isOwnAddress(baseUrl)) return baseUrl.replaceAll('{region}', region)
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return baseUrl.replace('{region}', region)
}

/** The operator gave an address: a way to Google, or a fake for it. */
export function isOwnAddress(baseUrl: string): boolean {
  return baseUrl !== rowOf('vertex').baseUrl
}

/** A channel's key: a service account, or an API key of express mode, which serves Google's own models alone. */
export type VertexKey =
  | {
      readonly kind: 'service-account'
      readonly projectId: string
      readonly clientEmail: string
      readonly privateKey: string
      /** Empty when the account names none. */
      readonly privateKeyId: string
      readonly tokenUri: string
    }
  | { readonly kind: 'api-key'; readonly key: string }

const defaultTokenUri = 'https://oauth2.googleapis.com/token'

/**
 * The service account as Google's console saves it, in one line or many; any other text is an API key.
 * https://cloud.google.com/iam/docs/keys-create-delete
 * @throws TypeError for JSON other than a service account
 */
export function readVertexKey(key: string): VertexKey {
  const text = key.trim()
  if (!text.startsWith('{')) return { kind: 'api-key', key: text }
  const account = parsed(text)
  const projectId = field(account, 'project_id')
  const clientEmail = field(account, 'client_email')
  const privateKey = field(account, 'private_key')
  // The project becomes a part of the address: nothing else may be there.
  if (!/^[a-z0-9.:-]+$/.test(projectId) || clientEmail === '' || privateKey === '') throw malformed()
  return {
    kind: 'service-account',
    projectId,
    clientEmail,
    // Pasted through forms and shells, its line breaks arrive as two characters.
    privateKey: privateKey.replaceAll('\\n', '\n'),
    privateKeyId: field(account, 'private_key_id'),
    tokenUri: field(account, 'token_uri') || defaultTokenUri,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed()
  }
}

function field(account: unknown, name: string): string {
  const value = (account as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'string' ? value : ''
}

function malformed(): TypeError {
  return new TypeError('the key must be the JSON of a service account, with its project_id')
}

/** Families of models by their vendors: each is called in a form of its own. */
export type VertexFamily = 'claude' | 'mistral' | 'open' | 'google'

/** The family of a model, by its name. */
export function familyOf(model: string): VertexFamily {
  if (/^claude-/i.test(model)) return 'claude'
  // Open models are served under `publisher/model-maas`.
  if (model.includes('/')) return 'open'
  return /^(mistral|ministral|codestral|magistral)-/i.test(model) ? 'mistral' : 'google'
}

/** Vertex AI's name of a model; a name that no host lists passes as it is. */
export function claudeIdOf(model: string): string {
  return findClaudeModel(model)?.vertex ?? model
}

/**
 * Address of something in the account's project, in the region of the model.
 * @param path behind the location: `/publishers/google/models/{id}:generateContent`
 * @throws TypeError for an invalid key or region
 */
export function projectUrl(target: Target, path: string): string {
  const key = readVertexKey(target.key)
  // Express mode knows neither projects nor regions.
  if (key.kind === 'api-key') return versionedUrl(hostOf(target.baseUrl, 'global'), '/v1', path)
  const region = regionOf(target.other, namesOf(target))
  const location = `/projects/${key.projectId}/locations/${region}`
  return versionedUrl(hostOf(target.baseUrl, region), '/v1', `${location}${path}`)
}

/** @param verb such as `generateContent`, with the rest of the URL */
export function modelUrl(target: Target, publisher: string, id: string, verb: string): string {
  return projectUrl(
    target,
    `/publishers/${publisher}/models/${pathSegment(id).replaceAll('%40', '@')}:${verb}`,
  )
}

/** The list of Google's models, which belongs to no project. */
export function catalogueUrl({ baseUrl, other }: ChannelTarget): string {
  return versionedUrl(
    hostOf(baseUrl, regionOf(other, [])),
    '/v1beta1',
    '/publishers/google/models?pageSize=1000',
  )
}

/** Returns the names of a model: an operator's map may have the one that callers use, or the one in the address. */
function namesOf({ callerModel, upstreamModel }: Target): readonly string[] {
  return [...(callerModel === undefined ? [] : [callerModel]), upstreamModel, claudeIdOf(upstreamModel)]
}
