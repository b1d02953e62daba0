import { isObject, type JsonObject, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import { endpointUrl } from '../endpoint-url.ts'
import type { TaskReport, TaskRequest, VideoOrder, VideoService } from '../task.ts'
import {
  getRequest,
  pollEach,
  postRequest,
  reportOf,
  type StateWords,
  taskId,
  timeMs,
} from '../video-report.ts'
import { inputOf, replicateTerms } from './inputs.ts'

export const defaultBaseUrl = 'https://api.replicate.com'

/** https://replicate.com/docs/topics/predictions/lifecycle */
const states: StateWords = new Map([
  ['starting', 'QUEUED'],
  ['processing', 'IN_PROGRESS'],
  ['succeeded', 'SUCCESS'],
  ['failed', 'FAILURE'],
  ['canceled', 'FAILURE'],
  ['aborted', 'FAILURE'],
])

/** Never waits (`Prefer: wait`): a submission that is held open for a minute is one that can be lost. */
export const replicateVideo: VideoService = {
  submit,
  terms: (order, { upstreamModel }) => replicateTerms(order, upstreamModel),
  reference: (body) => (isObject(body) && states.has(body.status) ? taskId(body.id) : undefined),
  polling: pollEach(
    // The address in the answer is not followed: the key goes to the channel's host alone.
    ({ reference }, target) => getRequest(addressOf(`/predictions/${encodeURIComponent(reference)}`, target)),
    readPrediction,
  ),
}

/** A model by its name runs where it is official; a version of one, where all are. */
function submit(order: VideoOrder, target: { readonly upstreamModel: string } & ChannelTarget): TaskRequest {
  const { upstreamModel: model } = target
  const input = inputOf(order, model)
  const [, owner, name, version] = /^([^/:]+)\/([^/:]+)(?::(.+))?$/.exec(model) ?? []
  if (owner === undefined || name === undefined || version !== undefined)
    return postRequest(addressOf('/predictions', target), { version: version ?? model, input })
  const path = `/models/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/predictions`
  return postRequest(addressOf(path, target), { input })
}

function addressOf(path: string, { baseUrl }: ChannelTarget): string {
  return endpointUrl(baseUrl || defaultBaseUrl, '/v1', path)
}

function readPrediction(prediction: JsonObject): TaskReport | undefined {
  const { status, output, error, started_at, completed_at } = prediction
  const report = reportOf(states.get(status), {
    video: videoIn(output),
    reason: textOf(error) || textOf(objectOf(error).message) || `the prediction was ${textOf(status)}`,
    result: shown(prediction),
  })
  const startedMs = timeMs(started_at)
  const finishedMs = report?.progress === 100 ? timeMs(completed_at) : undefined
  return (
    report && {
      ...report,
      ...(startedMs !== undefined && { startedMs }),
      ...(finishedMs !== undefined && { finishedMs }),
    }
  )
}

/** One file, the first of several, or one under a name. */
function videoIn(output: unknown): unknown {
  if (Array.isArray(output)) return output.find((file) => typeof file === 'string')
  return isObject(output) ? (output.video ?? output.url) : output
}

/** Not the order, which may hold pictures, nor addresses of the account's, nor logs. */
function shown({ id, model, version, status, output, error, metrics }: JsonObject): JsonObject {
  return { id, model, version, status, output, error, metrics }
}
