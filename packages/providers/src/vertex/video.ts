import { type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import type { OpenTask, VideoService } from '../task.ts'
import { readVeo, veoBody, veoTerms } from '../veo.ts'
import { pollEach, postRequest } from '../video-report.ts'
import { modelUrl } from './address.ts'

const bytesMember = 'bytesBase64Encoded'
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
  polling: {
    ...pollEach(askFor, (operation) =>
      readVeo(operation, (response) => (hasVideo(response) ? {} : undefined)),
    ),
    shortened: bytesMember,
  },
  // The bytes are in the operation itself, as nobody named a place of storage for them.
  content: (task, _url, target) => ({
    ...askFor(task, target),
    base64: { member: bytesMember, mediaType: 'video/mp4' },
  }),
}

function askFor({ reference, model }: OpenTask, target: ChannelTarget) {
  const upstreamModel = model.replace(/^models\//, '')
  const url = modelUrl({ ...target, upstreamModel }, 'google', upstreamModel, 'fetchPredictOperation')
  return postRequest(url, { operationName: reference })
}

function hasVideo(response: JsonObject): boolean {
  return textOf(objectOf(listOf(response.videos)[0])[bytesMember]) !== ''
}
