import { type Base64Data, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import type { OpenTask, VideoService } from '../task.ts'
import { readVeo, veoBody, veoTerms } from '../veo.ts'
import { askEach, postRequest } from '../video-report.ts'
import { modelUrl } from './address.ts'

const operationName = /^[\w./:@-]+\/operations\/[\w-]+$/

/** Veo. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
export const vertexVideo: VideoService = {
  submit(order, target) {
    const model = target.upstreamModel.replace(/^models\//, '')
    const body = veoBody(order, model)
    const parameters = { ...objectOf(body.parameters), sampleCount: 1 }
    return postRequest(modelUrl(target, 'google', model, 'predictLongRunning'), { ...body, parameters })
  },
  terms: (order, { upstreamModel }) => veoTerms(order, upstreamModel),
  reference(body) {
    const name = textOf(objectOf(body).name)
    return operationName.test(name) ? name : undefined
  },
  polling: askEach(askFor, (answer) => readVeo(answer, (response) => videoIn(response) && {})),
  // The bytes are in the operation itself, as nobody named a place of storage for them.
  content: (task, _url, target) => ({
    ...askFor(task, target),
    bytesIn: (answer) => videoIn(objectOf(objectOf(answer).response)),
  }),
}

function askFor({ reference, model }: OpenTask, target: ChannelTarget) {
  const upstreamModel = model.replace(/^models\//, '')
  const url = modelUrl({ ...target, upstreamModel }, 'google', upstreamModel, 'fetchPredictOperation')
  return postRequest(url, { operationName: reference })
}

function videoIn(response: JsonObject): Base64Data | undefined {
  const { bytesBase64Encoded, mimeType } = objectOf(listOf(response.videos)[0])
  const data = textOf(bytesBase64Encoded)
  return data === '' ? undefined : { mediaType: textOf(mimeType) || 'video/mp4', data }
}
