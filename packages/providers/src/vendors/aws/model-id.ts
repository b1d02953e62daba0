import { findClaudeModel } from '../../families/claude/model-names.ts'

const vendor = 'anthropic.'

/**
 * Bedrock's id of a model for calls from a region: that of the region's profile where there is one, as bare ids mostly
 * are not served on demand. Bedrock's own ids, those with a profile and ARNs pass as they are.
 * @param isMapped the operator wrote the name: one that no host lists passes as written
 */
export function bedrockModelId(model: string, region: string, isMapped = false): string {
  if (!model.startsWith('claude-')) return withProfile(model, profilesOf(model), region)
  const id = bareId(model, isMapped)
  return withProfile(id, findClaudeModel(model)?.profiles ?? [], region)
}

const profilePrefix = /^(us-gov|us|eu|apac|jp|au|ca|sa|global)\.(?=anthropic\.)/

/** The model itself, which has no profile; ARNs pass as they are. */
export function foundationModelId(model: string, isMapped = false): string {
  return model.startsWith('claude-') ? bareId(model, isMapped) : model.replace(profilePrefix, '')
}

/**
 * The table's id. A model that it does not know yet gets the vendor's prefix, which every id has, and no profile: Bedrock
 * says whether there is such a model, and that a profile is needed.
 * https://platform.claude.com/docs/en/build-with-claude/claude-in-amazon-bedrock#supported-models
 */
function bareId(model: string, isMapped: boolean): string {
  return findClaudeModel(model)?.bedrock ?? (isMapped ? model : vendor + model)
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

/** GovCloud mirrors what the United States have of them. */
function profilesOf(id: string): readonly string[] {
  const profiles = profiled.find(([pattern]) => pattern.test(id))?.[1] ?? []
  return profiles.includes('us') ? [...profiles, 'us-gov'] : profiles
}

function withProfile(id: string, profiles: readonly string[], region: string): string {
  const profile = profileGroups(region).find((group) => profiles.includes(group))
  return profile === undefined ? id : `${profile}.${id}`
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
  return findClaudeModel(listed)?.name ?? listed.slice(vendor.length).replace(versionSuffix, '')
}
