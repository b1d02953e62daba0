import { datedClaude } from '../../families/claude.ts'

/** What Bedrock calls a model, and the regions' groups that have a profile for it. */
interface BedrockModel {
  readonly id: string
  readonly profiles: readonly string[]
}

const newest = ['us', 'eu', 'global']
const line45 = ['us', 'eu', 'jp', 'au', 'global']

/** https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html */
const models: Readonly<Record<string, BedrockModel>> = {
  'claude-instant-1.2': { id: 'claude-instant-v1', profiles: [] },
  'claude-2.0': { id: 'claude-v2', profiles: [] },
  'claude-2.1': { id: 'claude-v2:1', profiles: [] },
  'claude-3-haiku-20240307': { id: 'claude-3-haiku-20240307-v1:0', profiles: ['us', 'eu', 'apac'] },
  'claude-3-sonnet-20240229': { id: 'claude-3-sonnet-20240229-v1:0', profiles: ['us', 'eu', 'apac'] },
  'claude-3-opus-20240229': { id: 'claude-3-opus-20240229-v1:0', profiles: ['us'] },
  'claude-3-5-sonnet-20240620': { id: 'claude-3-5-sonnet-20240620-v1:0', profiles: ['us', 'eu', 'apac'] },
  'claude-3-5-sonnet-20241022': { id: 'claude-3-5-sonnet-20241022-v2:0', profiles: ['us', 'apac'] },
  'claude-3-5-haiku-20241022': { id: 'claude-3-5-haiku-20241022-v1:0', profiles: ['us'] },
  'claude-3-7-sonnet-20250219': { id: 'claude-3-7-sonnet-20250219-v1:0', profiles: ['us', 'eu', 'apac'] },
  'claude-sonnet-4-20250514': {
    id: 'claude-sonnet-4-20250514-v1:0',
    profiles: ['us', 'eu', 'apac', 'global'],
  },
  'claude-opus-4-20250514': { id: 'claude-opus-4-20250514-v1:0', profiles: ['us'] },
  'claude-opus-4-1-20250805': { id: 'claude-opus-4-1-20250805-v1:0', profiles: ['us'] },
  'claude-sonnet-4-5-20250929': { id: 'claude-sonnet-4-5-20250929-v1:0', profiles: line45 },
  'claude-haiku-4-5-20251001': { id: 'claude-haiku-4-5-20251001-v1:0', profiles: line45 },
  'claude-opus-4-5-20251101': { id: 'claude-opus-4-5-20251101-v1:0', profiles: newest },
  'claude-opus-4-6': { id: 'claude-opus-4-6-v1', profiles: newest },
  'claude-sonnet-4-6': { id: 'claude-sonnet-4-6-v1', profiles: newest },
}

const vendor = 'anthropic.'

/**
 * Bedrock's id of a model for calls from a region: that of the region's profile where there is one, as bare ids mostly
 * are not served on demand. Claude's ids, those with a profile and ARNs pass as they are.
 */
export function bedrockModelId(model: string, region: string): string {
  if (!model.startsWith('claude-')) return withProfile(model, profilesOf(model), region)
  const name = datedClaude(model)
  // Since 4.7 ids are the names.
  const { id, profiles } = models[name] ?? { id: name, profiles: newest }
  return withProfile(vendor + id, profiles, region)
}

const profilePrefix = /^(us-gov|us|eu|apac|jp|au|ca|sa|global)\.(?=anthropic\.)/

/** The model itself, which has no profile; ARNs pass as they are. */
export function foundationModelId(model: string): string {
  if (!model.startsWith('claude-')) return model.replace(profilePrefix, '')
  const name = datedClaude(model)
  return vendor + (models[name]?.id ?? name)
}

/** Models of other vendors that are served by profiles, wholly or in most regions. */
const profiled: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^amazon\.nova-(micro|lite|pro)-v1:0$/, ['us', 'eu', 'apac']],
  [/^amazon\.nova-premier-v1:0$/, ['us']],
  [/^amazon\.nova-2-/, ['us', 'eu', 'jp', 'global']],
  [/^meta\.llama3-2-[13]b-/, ['us', 'eu']],
  [/^meta\.llama(3-[1-3]|4)-/, ['us']],
  [/^mistral\.pixtral-large-/, ['us', 'eu']],
  [/^deepseek\.r1-/, ['us']],
  [/^writer\.palmyra-x/, ['us']],
  [/^cohere\.embed-v4/, ['us', 'eu', 'global']],
]

function profilesOf(id: string): readonly string[] {
  return profiled.find(([pattern]) => pattern.test(id))?.[1] ?? []
}

function withProfile(id: string, profiles: readonly string[], region: string): string {
  const profile = profileGroups(region).find(
    (group) => profiles.includes(group) || isGovernment(group, profiles),
  )
  return profile === undefined ? id : `${profile}.${id}`
}

/** Names of Anthropic's models, their ids with and without profile, and ARNs that hold one. */
export function isClaude(model: string): boolean {
  return model.startsWith('claude-') || model.includes(vendor)
}

/** GovCloud mirrors what the United States have. */
function isGovernment(group: string, profiles: readonly string[]): boolean {
  return group === 'us-gov' && profiles.includes('us')
}

/** Asia has one group for the older models and one per country for the newer ones. */
const countries: Readonly<Record<string, string>> = {
  'ap-northeast-1': 'jp',
  'ap-northeast-3': 'jp',
  'ap-southeast-2': 'au',
  'ap-southeast-4': 'au',
}

/** Groups of profiles that a region may call, the nearest first. */
function profileGroups(region: string): readonly string[] {
  if (region.startsWith('us-gov-')) return ['us-gov']
  if (region.startsWith('cn-')) return []
  const [continent = ''] = region.split('-')
  if (continent !== 'ap') return [continent, 'global']
  return ['apac', countries[region] ?? 'global', 'global']
}

const contextSuffix = /:\d+k$/
const versionSuffix = /-v\d+(:\d+)?$/

/** The name by which callers know what Bedrock lists under an id. */
export function callerModelName(id: string): string {
  const listed = id.replace(contextSuffix, '')
  if (!listed.startsWith(vendor)) return listed
  const bare = listed.slice(vendor.length)
  const known = Object.entries(models).find(([, model]) => model.id === bare)
  return known?.[0] ?? bare.replace(versionSuffix, '')
}
