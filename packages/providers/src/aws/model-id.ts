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

/** Names without a date, as Anthropic takes them. */
const aliases: Readonly<Record<string, string>> = {
  'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5': 'claude-haiku-4-5-20251001',
  'claude-opus-4-5': 'claude-opus-4-5-20251101',
  'claude-opus-4-1': 'claude-opus-4-1-20250805',
}

const vendor = 'anthropic.'

/**
 * Bedrock's id of a model for calls from a region: that of the region's profile where there is one, as bare ids mostly
 * are not served on demand. Ids and ARNs pass as they are, as do names that are no Claude's.
 */
export function bedrockModelId(model: string, region: string): string {
  if (!model.startsWith('claude-')) return model
  const name = aliases[model] ?? model
  // Since 4.7 ids are the names.
  const { id, profiles } = models[name] ?? { id: name, profiles: newest }
  const profile = profileGroups(region).find(
    (group) => profiles.includes(group) || isGovernment(group, profiles),
  )
  return `${profile === undefined ? '' : `${profile}.`}${vendor}${id}`
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

/** The name by which callers know what Bedrock lists under an id; `undefined` for what is not Anthropic's. */
export function callerModelName(id: string): string | undefined {
  if (!id.startsWith(vendor)) return undefined
  const listed = id.slice(vendor.length).replace(contextSuffix, '')
  const known = Object.entries(models).find(([, model]) => model.id === listed)
  return known?.[0] ?? listed.replace(versionSuffix, '')
}
