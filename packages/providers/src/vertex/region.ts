import { isObject, parseJson, textOf } from '@tollgate/formats'

const defaultRegion = 'us-central1'
/** The region becomes a part of the host: anything else would lead elsewhere. */
const regionName = /^[a-z]+(-[a-z]+)*\d*$/

/**
 * The region that serves a model: the channel's free field is one for all, or a JSON map of them with a `default`.
 * @param names of the model, the first one in the map wins; none for calls without a model
 * @throws TypeError for what is no region
 */
export function regionOf(other: string, names: readonly string[]): string {
  const given = other.trim()
  const map = given.startsWith('{') ? parseJson(given) : undefined
  const region = isObject(map) ? regionIn(map, names) : given || defaultRegion
  if (!regionName.test(region)) throw new TypeError('the region is no name of a region')
  return region
}

function regionIn(map: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const name = names.find((each) => Object.hasOwn(map, each) && textOf(map[each]).trim() !== '')
  return textOf(map[name ?? 'default']).trim() || defaultRegion
}

/** Most regions; a few places have hosts of another form. */
export const defaultBaseUrl = 'https://{region}-aiplatform.googleapis.com'

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
export function hostOf(baseUrl: string, region: string): string {
  if (isOwnAddress(baseUrl)) return baseUrl.replaceAll('{region}', region)
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return defaultBaseUrl.replace('{region}', region)
}

/** The operator gave an address: a way to Google, or a stand-in for it. */
export function isOwnAddress(baseUrl: string): boolean {
  return baseUrl !== '' && baseUrl !== defaultBaseUrl
}
