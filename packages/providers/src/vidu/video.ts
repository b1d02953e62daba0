import { isObject, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import { endpointUrl } from '../endpoint-url.ts'
import type { TaskReport, VideoOrder, VideoService } from '../task.ts'
import { ownFields, refuseFields, refuseImages } from '../video-order.ts'
import { getRequest, pollEach, postRequest, reportOf, type StateWords, taskId } from '../video-report.ts'
import { viduRatio, viduTerms } from './terms.ts'

export const defaultBaseUrl = 'https://api.vidu.cn'

const mostImages = 7
/** By the number of images; more than two are references. */
const kinds = ['text2video', 'img2video', 'start-end2video'] as const
const references = 'reference2video'

const states: StateWords = new Map([
  ['created', 'SUBMITTED'],
  ['queueing', 'QUEUED'],
  ['processing', 'IN_PROGRESS'],
  ['success', 'SUCCESS'],
  ['failed', 'FAILURE'],
])

export const viduVideo: VideoService = {
  submit(order, target) {
    const kind = kinds[order.images.length] ?? references
    return postRequest(addressOf(`/${kind}`, target), encodeOrder(order, target.upstreamModel))
  },
  terms: (order, { upstreamModel }) => viduTerms(order, upstreamModel),
  reference: (body) => (isObject(body) && body.state !== 'failed' ? taskId(body.task_id) : undefined),
  polling: pollEach(
    ({ reference }, target) =>
      getRequest(addressOf(`/tasks/${encodeURIComponent(reference)}/creations`, target)),
    readTask,
  ),
}

function addressOf(path: string, { baseUrl }: ChannelTarget): string {
  return endpointUrl(baseUrl || defaultBaseUrl, '/ent/v2', path)
}

function encodeOrder(order: VideoOrder, model: string): JsonObject {
  refuseImages(order, mostImages)
  refuseFields(order, 'mode', 'negativePrompt')
  const { seconds, resolution } = viduTerms(order, model)
  const { images } = order
  // Where an image is a frame, the video has its ratio.
  const ratio = images.length === 0 || images.length > 2 ? viduRatio(order, model) : undefined
  return {
    prompt: order.prompt,
    ...(images.length > 0 && { images }),
    duration: seconds,
    resolution,
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(order.seed !== undefined && { seed: order.seed }),
    ...ownFields(order),
    model,
  }
}

function readTask(response: JsonObject): TaskReport | undefined {
  const [creation] = listOf(response.creations)
  return reportOf(states.get(response.state), {
    video: objectOf(creation).url,
    reason: textOf(response.err_msg) || textOf(response.err_code),
    result: response,
  })
}
