import { listOf, objectOf, textOf } from '@tollgate/formats'
import { fillModel } from '../endpoint-url.ts'
import type { VideoService } from '../task.ts'
import { readVeo, veoBody, veoTerms } from '../veo.ts'
import { getRequest, pollEach, postRequest } from '../video-report.ts'
import { addressOf, resourceOf } from './address.ts'

const operationName = /^(models|tunedModels)\/[\w.-]+\/operations\/[\w.-]+$/

/** Where a file is under the API's version, whatever host it is said to be at. */
const filePath = /\/(files\/[\w-]+:download)\?alt=media$/

/** Veo. https://ai.google.dev/gemini-api/docs/video */
export const geminiVideo: VideoService = {
  submit(order, target) {
    const { upstreamModel } = target
    const path = fillModel('/{model}:predictLongRunning', resourceOf(upstreamModel))
    return postRequest(addressOf(target, path, upstreamModel), veoBody(order, upstreamModel))
  },
  terms: (order, { upstreamModel }) => veoTerms(order, upstreamModel),
  reference(body) {
    const name = textOf(objectOf(body).name)
    return operationName.test(name) ? name : undefined
  },
  polling: pollEach(
    ({ reference, model }, target) => getRequest(addressOf(target, `/${reference}`, model)),
    (operation) =>
      readVeo(operation, ({ generateVideoResponse }) => {
        const [sample] = listOf(objectOf(generateVideoResponse).generatedSamples)
        const url = textOf(objectOf(objectOf(sample).video).uri)
        return /^https?:\/\//i.test(url) ? { result: operation, properties: { url } } : undefined
      }),
  ),
  // The key goes to the channel's own host alone.
  content({ model }, url, target) {
    const [, path] = filePath.exec(url) ?? []
    if (path === undefined) return undefined
    return { method: 'GET', url: addressOf(target, `/${path}?alt=media`, model), headers: {} }
  },
}
