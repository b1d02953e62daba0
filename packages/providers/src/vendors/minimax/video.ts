import { isObject, type JsonObject, objectOf, RequestFault, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { endpointUrl } from '../../endpoint-url.ts'
import type { OpenTask, TaskResponse, VideoOrder, VideoService, VideoTerms } from '../../task.ts'
import { refuseCharged } from '../../video/charged-fields.ts'
import {
  aspectRatioOf,
  refuseFields,
  refuseImages,
  resolutionOf,
  secondsOf,
  wordOf,
} from '../../video/order.ts'
import { getRequest, postRequest, reportOf, type StateWords, statesOf, taskId } from '../../video/report.ts'
import { groupQuery, isFailed } from './common.ts'

/** Resolutions, lengths and numbers of images of a family of models. */
interface Family {
  /** Lengths by resolution; the first one is the usual. */
  readonly makes: { readonly [resolution: string]: readonly number[] }
  readonly images: { readonly min: number; readonly max: number }
}

const oldest = { '720P': [6] }
const families: readonly (readonly [name: RegExp, family: Family])[] = [
  [/^T2V-01/, { makes: oldest, images: { min: 0, max: 0 } }],
  [/^[IS]2V-01/, { makes: oldest, images: { min: 1, max: 1 } }],
  [
    /^MiniMax-Hailuo-02/,
    { makes: { '768P': [6, 10], '512P': [6, 10], '1080P': [6] }, images: { min: 0, max: 2 } },
  ],
  [/^MiniMax-Hailuo-2\.3-Fast/, { makes: { '768P': [6, 10], '1080P': [6] }, images: { min: 1, max: 1 } }],
  [/^MiniMax-Hailuo/, { makes: { '768P': [6, 10], '1080P': [6] }, images: { min: 0, max: 1 } }],
]
const defaultSeconds = 6

const states: StateWords = statesOf({
  SUBMITTED: 'Preparing',
  QUEUED: 'Queueing',
  IN_PROGRESS: 'Processing',
  SUCCESS: 'Success',
  FAILURE: 'Fail',
})

/** Recognises models that make videos. */
export function isMinimaxVideo(model: string): boolean {
  return familyOf(model) !== undefined
}

function familyOf(model: string): Family | undefined {
  return families.find(([name]) => name.test(model))?.[1]
}

/** https://platform.minimax.io/docs/guides/video-generation */
export const minimaxVideo: VideoService = {
  submit(order, target) {
    const model = target.upstreamModel
    refuseFields(order, 'mode', 'seed', 'negativePrompt')
    const { seconds, resolution } = minimaxTerms(order, model)
    return postRequest(addressOf('/video_generation', target), {
      prompt: order.prompt,
      ...picturesOf(order, model),
      ...order.metadata,
      duration: seconds,
      resolution: resolution.toUpperCase(),
      model,
    })
  },
  terms: (order, { upstreamModel }) => minimaxTerms(order, upstreamModel),
  reference: (body) => (isObject(body) && !isFailed(body) ? taskId(body.task_id) : undefined),
  polling: {
    batch: 1,
    question([task], target) {
      const id = encodeURIComponent(task?.reference ?? '')
      return getRequest(addressOf(`/query/video_generation?task_id=${id}`, target))
    },
    read: (body, [task], target) => (isObject(body) && task ? readResponse(body, task, target) : undefined),
  },
}

function addressOf(path: string, { baseUrl, other }: ChannelTarget): string {
  const [position = '', query = ''] = path.split('?')
  const group = groupQuery(other)
  const requested = [group.slice(1), query].filter((part) => part !== '').join('&')
  return endpointUrl(baseUrl, '/v1', position) + (requested === '' ? '' : `?${requested}`)
}

function minimaxTerms(order: VideoOrder, model: string): VideoTerms {
  refuseCharged(order.metadata, ['duration', 'resolution'])
  const makes = familyOf(model)?.makes ?? {}
  const names = Object.keys(makes)
  const resolution = wordOf(order, 'resolution', names) ?? sizeName(order, names) ?? names[0] ?? ''
  return {
    seconds: secondsOf(order, 'duration', makes[resolution], defaultSeconds),
    resolution: resolution.toLowerCase(),
  }
}

/** Callers who order the usual size of others get the one that is next to it. */
function sizeName(order: VideoOrder, names: readonly string[]): string | undefined {
  // A video of an image has its shape.
  if (order.images.length === 0) aspectRatioOf(order, ['16:9'])
  const found = resolutionOf(order, [...names, '720P'])
  return found === '720P' && !names.includes(found) ? '768P' : found
}

function picturesOf(order: VideoOrder, model: string): JsonObject {
  const { min, max } = familyOf(model)?.images ?? { min: 0, max: 2 }
  refuseImages(order, max)
  const [first, last] = order.images
  if (order.images.length < min && !('first_frame_image' in order.metadata)) throw noPicture()
  if (model.startsWith('S2V')) return { subject_reference: [{ type: 'character', image: [first] }] }
  return { ...(first && { first_frame_image: first }), ...(last && { last_frame_image: last }) }
}

function noPicture(): RequestFault {
  return new RequestFault(
    'input_reference is required: the model makes videos of an image',
    'input_reference',
    'missing_required_parameter',
  )
}

/** Reads a finished video, a file whose address is requested apart. */
function readResponse(body: JsonObject, task: OpenTask, target: ChannelTarget): TaskResponse | undefined {
  if (isObject(body.file)) return finished(body, body.file, task)
  const fileId = taskId(body.file_id)
  if (states.get(body.status) === 'SUCCESS' && fileId !== undefined)
    return { next: getRequest(addressOf(`/files/retrieve?file_id=${encodeURIComponent(fileId)}`, target)) }
  const reason = textOf(objectOf(body.base_resp).status_msg)
  const report = reportOf(states.get(body.status), {
    video: undefined,
    // What it says of the question, not of the task.
    reason: reason === 'success' ? '' : reason,
    result: body,
  })
  return report && { reports: new Map([[task.reference, report]]) }
}

function finished(body: JsonObject, file: JsonObject, { reference }: OpenTask): TaskResponse | undefined {
  const report = reportOf('SUCCESS', { video: file.download_url, reason: '', result: body })
  return report && { reports: new Map([[reference, report]]) }
}
