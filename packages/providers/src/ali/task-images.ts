import { imageCodec, isObject, listOf, objectOf, textOf } from '@tollgate/formats'
import { endpointUrl } from '../endpoint-url.ts'
import { droppedImageOptions, sidesOf } from '../own-images.ts'
import type { Operation } from '../provider.ts'
import { defaultBaseUrl, nativeRoot } from './address.ts'
import { decodeError, polling } from './tasks.ts'

/** Models that make a task, whose result is asked for later. */
export function makesImageTasks(model: string): boolean {
  return /^(wanx|wan2\.[0-5]|flux|stable-diffusion)/.test(model)
}

/** OpenAI's styles are none of Wanx's. */
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
  /** Of several, one may have failed. */
  decodeResponse({ json }) {
    const { results } = objectOf(objectOf(json).output)
    if (!isObject(json) || !Array.isArray(results)) return undefined
    const urls = listOf(results)
      .map((result) => textOf(objectOf(result).url))
      .filter((url) => url !== '')
    return { images: urls.map((url) => ({ url })), usage: undefined }
  },
})

export const taskImages: Operation = {
  format: 'provider:ali-task-images',
  plain: codec,
  polling,
  framing: 'sse',
  streamOptions: false,
  endpoint: ({ baseUrl }) => ({
    url: endpointUrl(baseUrl || defaultBaseUrl, nativeRoot, '/services/aigc/text2image/image-synthesis'),
    // Without it the call is refused.
    headers: { 'x-dashscope-async': 'enable' },
  }),
  decodeError,
}
