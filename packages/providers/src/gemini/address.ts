import { versionedUrl } from '../endpoint-url.ts'
import type { ChannelTarget } from '../provider.ts'

export const defaultBaseUrl = 'https://generativelanguage.googleapis.com'
export const usualVersion = 'v1beta'
const version = /^v\d+[a-z0-9]*$/

/** The channel's free field names another version of the API. */
export function addressOf({ baseUrl, other }: ChannelTarget, path: string, usual = usualVersion): string {
  const asked = [other.trim(), usual].find((name) => version.test(name)) ?? usualVersion
  return versionedUrl(baseUrl || defaultBaseUrl, `/${asked}`, path)
}

/** Tuned models have a collection of their own. */
export function resourceOf(model: string): string {
  return /^(models|tunedModels)\//.test(model) ? model : `models/${model}`
}
