import type { ChannelTarget } from '../channel-target.ts'
import { versionedUrl } from '../endpoint-url.ts'
import type { Target } from '../provider.ts'
import { readVertexKey } from './key.ts'
import { claudeIdOf } from './model-id.ts'
import { hostOf, regionOf } from './region.ts'

/**
 * Address of something in the account's project, in the region of the model.
 * @param path behind the location: `/publishers/google/models/{id}:generateContent`
 * @throws TypeError for a key or a region that is none
 */
export function projectUrl(target: Target, path: string): string {
  const key = readVertexKey(target.key)
  // Express mode knows neither projects nor regions.
  if (key.kind === 'api-key') return versionedUrl(hostOf(target.baseUrl, 'global'), '/v1', path)
  const region = regionOf(target.other, namesOf(target))
  const location = `/projects/${key.projectId}/locations/${region}`
  return versionedUrl(hostOf(target.baseUrl, region), '/v1', `${location}${path}`)
}

/** @param verb such as `generateContent`, with what stands behind it */
export function modelUrl(target: Target, publisher: string, id: string, verb: string): string {
  return projectUrl(
    target,
    `/publishers/${publisher}/models/${encodeURIComponent(id).replaceAll('%40', '@')}:${verb}`,
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

/** An operator's map may have the name that callers use, or the one that goes into the address. */
function namesOf({ callerModel, upstreamModel }: Target): readonly string[] {
  return [...(callerModel === undefined ? [] : [callerModel]), upstreamModel, claudeIdOf(upstreamModel)]
}
