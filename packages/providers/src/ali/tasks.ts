import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { ChannelTarget, UpstreamEndpoint } from '../channel-target.ts'
import { endpointUrl } from '../endpoint-url.ts'
import type { Polling } from '../provider.ts'
import { defaultBaseUrl, nativeRoot } from './address.ts'

const working: ReadonlySet<string> = new Set(['PENDING', 'RUNNING', 'SUSPENDED'])

/** https://www.alibabacloud.com/help/en/model-studio/manage-asynchronous-tasks */
export const polling: Polling = {
  // An account may ask twenty times a second, for all of its tasks.
  pauseMs: 3000,
  next: (response, target) =>
    isWorking(response) ? { method: 'GET', ...taskEndpoint(response, target) } : undefined,
  cancel: (response, target) => (isWorking(response) ? taskEndpoint(response, target, '/cancel') : undefined),
}

function isWorking(response: unknown): boolean {
  const { task_id: id, task_status: status } = outputOf(response)
  return textOf(id) !== '' && working.has(textOf(status))
}

function taskEndpoint(response: unknown, { baseUrl }: ChannelTarget, step = ''): UpstreamEndpoint {
  const id = encodeURIComponent(textOf(outputOf(response).task_id))
  return { url: endpointUrl(baseUrl || defaultBaseUrl, nativeRoot, `/tasks/${id}${step}`), headers: {} }
}

function outputOf(response: unknown): JsonObject {
  return objectOf(objectOf(response).output)
}

const codeKinds: CodeKinds = {
  Throttling: 'rate_limited',
  'Throttling.RateQuota': 'rate_limited',
  'Throttling.AllocationQuota': 'rate_limited',
}

/** Also of a task that failed, which says why inside its output; or inside each result, where all of them failed. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const reason = failedTask(parseJson(failure.body))
  return decodeErrorBody(
    reason === undefined ? failure : { ...failure, body: JSON.stringify(reason) },
    codeKinds,
  )
}

function failedTask(body: unknown): JsonObject | undefined {
  const { task_status: status, code, message, results } = outputOf(body)
  if (textOf(status) === '' || isWorking(body)) return undefined
  if (textOf(code) !== '') return { code, message }
  const failed = listOf(results).find((result) => isObject(result) && textOf(result.code) !== '')
  return isObject(failed) ? failed : { message: `the task ended without a result: ${textOf(status)}` }
}
