import { isObject, type JsonObject, objectOf, parseJson, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import { gatewayStates, gatewayTask, isGatewayKey } from '../gateway-task.ts'
import type { TaskReport, TaskRequest, VideoOrder, VideoService } from '../task.ts'
import { base64Of, isAddress, ownFields, refusedValue } from '../video-order.ts'
import { pollEach, postRequest, reportOf, type StateWords, taskId } from '../video-report.ts'
import { endsTask } from './errors.ts'
import { jimengTerms } from './terms.ts'

export const defaultBaseUrl = 'https://visual.volcengineapi.com'

const accepted = 10_000
const version = '2022-08-31'

const states: StateWords = new Map([
  ...gatewayStates,
  ['in_queue', 'QUEUED'],
  ['generating', 'IN_PROGRESS'],
  ['done', 'SUCCESS'],
  ['not_found', 'FAILURE'],
  ['expired', 'FAILURE'],
])

/**
 * A task is asked about with the key of the service that works on it, which its reference says: `{req_key}/{id}`.
 * https://www.volcengine.com/docs/85621/1544774
 */
export const jimengVideo: VideoService = {
  submit: (order, target) =>
    postRequest(addressOf('CVSync2AsyncSubmitTask', target), encodeOrder(order, target.upstreamModel)),
  terms(order, { upstreamModel }) {
    const { seconds, resolution } = jimengTerms(order, upstreamModel)
    return { seconds, resolution }
  },
  reference: referenceIn,
  polling: pollEach(({ reference }, target) => {
    const [reqKey, id] = reference.split(/\/(.*)/s)
    return postRequest(addressOf('CVSync2AsyncGetResult', target), { req_key: reqKey, task_id: id })
  }, readTask),
}

function addressOf(action: string, { baseUrl, key }: ChannelTarget): string {
  const base = (baseUrl || defaultBaseUrl).trim().replace(/\/+$/, '')
  const prefix = isGatewayKey(key) && !base.endsWith('/jimeng') ? '/jimeng' : ''
  return `${base}${prefix}/?Action=${action}&Version=${version}`
}

function encodeOrder(order: VideoOrder, model: string): JsonObject {
  const { reqKey, frames, ratio } = jimengTerms(order, model)
  return {
    prompt: order.prompt,
    ...(order.seed !== undefined && { seed: order.seed }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(frames !== undefined && { frames }),
    ...picturesOf(order),
    ...ownFields(order),
    req_key: reqKey,
  }
}

/** All of them one way. */
function picturesOf({ images }: VideoOrder): JsonObject {
  const addresses = images.filter(isAddress)
  if (images.length === 0) return {}
  if (addresses.length === 0) return { binary_data_base64: images.map(base64Of) }
  if (addresses.length === images.length) return { image_urls: images }
  throw refusedValue('input_reference', 'of addresses and data URLs', ['either addresses', 'data URLs alone'])
}

function referenceIn(body: unknown, sent: TaskRequest): string | undefined {
  if (!isObject(body) || isObject(body.error) || isRefusal(body)) return undefined
  const id = taskId(objectOf(body.data).task_id) ?? gatewayTask(body).id
  return id && `${textOf(objectOf(parseJson(sent.body)).req_key)}/${id}`
}

/** Codes of gateways are words, or zero. */
function isRefusal({ code }: JsonObject): boolean {
  return typeof code === 'number' && code !== accepted && code !== 0
}

function readTask(response: JsonObject): TaskReport | undefined {
  const data = objectOf(response.data)
  const reason = textOf(response.message)
  if (isRefusal(response)) {
    return endsTask(response.code) ? reportOf('FAILURE', { video: '', reason, result: response }) : undefined
  }
  const task = gatewayTask(response)
  return reportOf(states.get(task.status), {
    video: textOf(data.video_url) || task.url,
    reason: task.reason || endings.get(task.status) || '',
    result: isObject(response.data) ? data : response,
  })
}

const endings: ReadonlyMap<string, string> = new Map([
  ['not_found', 'the upstream does not know the task, or no longer'],
  ['expired', 'the task expired at the upstream'],
])
