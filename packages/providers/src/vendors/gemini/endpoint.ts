import { versionedUrl } from '../../endpoint-url.ts'
import { byModel, defaultModelOptions, type ModelOptions } from '../../models/model-options.ts'
import type { ChannelTarget } from '../../provider.ts'

const defaultVersion = 'v1beta'
const version = /^v\d+[a-z0-9]*$/

/**
 * The channel's free field names another version of the API, before the operator's setting for the model.
 * @param model the upstream's name; absent for requests without a model
 */
export function addressOf(
  { baseUrl, other }: ChannelTarget,
  path: string,
  model = '',
  { gemini }: ModelOptions = defaultModelOptions,
): string {
  const wanted = [other.trim(), byModel(gemini.versions, model) ?? ''].find((name) => version.test(name))
  return versionedUrl(baseUrl, `/${wanted ?? defaultVersion}`, path)
}

/** Tuned models have a collection of their own. */
export function resourceOf(model: string): string {
  return /^(models|tunedModels)\//.test(model) ? model : `models/${model}`
}
