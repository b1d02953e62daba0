import {
  type CodeKinds,
  decodeErrorBody,
  imageCodec,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { ChannelTarget, UpstreamEndpoint } from '../../channel-target.ts'
import { plainOperation } from '../../define-provider.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import { droppedImageOptions, sidesOf } from '../../modes/images.ts'
import type { Polling } from '../../provider.ts'

/** Root of the vendor's own form of the API. */
export const nativeRoot = '/api/v1'

const working: ReadonlySet<string> = new Set(['PENDING', 'RUNNING', 'SUSPENDED'])

/** https://www.alibabacloud.com/help/en/model-studio/manage-asynchronous-tasks */
const polling: Polling = {
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
  const id = pathSegment(textOf(outputOf(response).task_id))
  return { url: endpointUrl(baseUrl, nativeRoot, `/tasks/${id}${step}`), headers: {} }
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

/** Models that response at once. */
export function responsesWithImages(model: string): boolean {
  return /^(qwen-image|z-image|wan(2\.[6-9]|[3-9]))/.test(model)
}

/** https://www.alibabacloud.com/help/en/model-studio/qwen-image-api */
export const aliImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, vendor } = request
    const sides = sidesOf(size)
    return {
      body: {
        model,
        input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
        parameters: { ...vendor, n, ...(sides !== undefined && { size: sides.join('*') }) },
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    const { choices } = objectOf(objectOf(json).output)
    if (!isObject(json) || !Array.isArray(choices)) return undefined
    const content = choices.flatMap((choice) => listOf(objectOf(objectOf(choice).message).content))
    const urls = content.map((part) => textOf(objectOf(part).image)).filter((url) => url !== '')
    return { images: urls.map((url) => ({ url })), usage: undefined }
  },
})

/** Models that make a task, whose result is asked for later. */
export function makesImageTasks(model: string): boolean {
  return /^(wanx|wan2\.[0-5]|flux|stable-diffusion)/.test(model)
}

/** Wanx does not know OpenAI's styles. */
const foreignStyles: ReadonlySet<string> = new Set(['', 'vivid', 'natural'])

/** https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference */
const codec = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, style, vendor } = request
    const { negative_prompt: negative, ref_img: reference, ...parameters } = vendor
    const sides = sidesOf(size)
    const isStyled = !foreignStyles.has(style)
    return {
      body: {
        model,
        input: {
          prompt,
          ...(negative !== undefined && { negative_prompt: negative }),
          ...(reference !== undefined && { ref_img: reference }),
        },
        parameters: {
          ...parameters,
          n,
          ...(sides !== undefined && { size: sides.join('*') }),
          ...(isStyled && { style }),
        },
      },
      dropped: droppedImageOptions(request, 'quality', 'user', ...(isStyled ? [] : (['style'] as const))),
    }
  },
  /** Reads the images; of several, one may have failed. */
  decodeResponse({ json }) {
    const { results } = objectOf(objectOf(json).output)
    if (!isObject(json) || !Array.isArray(results)) return undefined
    const urls = listOf(results)
      .map((result) => textOf(objectOf(result).url))
      .filter((url) => url !== '')
    return { images: urls.map((url) => ({ url })), usage: undefined }
  },
})

export const taskImages = plainOperation({
  format: 'provider:ali-task-images',
  plain: codec,
  polling,
  endpoint: ({ baseUrl }) => ({
    url: endpointUrl(baseUrl, nativeRoot, '/services/aigc/text2image/image-synthesis'),
    // Without it the call is refused.
    headers: { 'x-dashscope-async': 'enable' },
  }),
  decodeError,
})
