import { describe, expect, it } from 'bun:test'
import { rowOf } from '../../table.ts'
import { vertexVideo } from './media.ts'

const model = 'veo-3.1-generate-001'
const key = JSON.stringify({
  type: 'service_account',
  project_id: 'p1',
  client_email: 'a@p1.example',
  private_key: 'PEM',
})
const target = {
  baseUrl: rowOf('vertex').baseUrl,
  key,
  openaiOrganization: '',
  other: '',
  upstreamModel: model,
}
const path = `projects/p1/locations/us-central1/publishers/google/models/${model}`
const task = { reference: `${path}/operations/0b1c`, model }
const host = 'https://us-central1-aiplatform.googleapis.com/v1/'

describe('Veo at Vertex AI', () => {
  it('is ordered one video at a time', () => {
    const request = vertexVideo.submit({ prompt: 'a cat', images: [], seed: 7, metadata: {} }, target)
    expect(request.url).toBe(`${host}${path}:predictLongRunning`)
    expect(JSON.parse(request.body)).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { seed: 7, durationSeconds: 8, sampleCount: 1 },
    })
  })

  it('is asked about by a call of the model', () => {
    const question = vertexVideo.polling.question([task], target)
    expect(question).toMatchObject({ method: 'POST', url: `${host}${path}:fetchPredictOperation` })
    expect(JSON.parse(question.body)).toEqual({ operationName: task.reference })
  })

  it('gives the bytes out of the operation, which are in no report', () => {
    const operation = {
      name: task.reference,
      done: true,
      response: { videos: [{ bytesBase64Encoded: 'AAAA' }] },
    }
    expect(vertexVideo.polling.read(operation, [task], target)).toEqual({
      reports: new Map([[task.reference, { state: 'SUCCESS', progress: 100 }]]),
    })
    const content = vertexVideo.content?.(task, '', target)
    expect(content?.base64).toEqual({ member: 'bytesBase64Encoded', mediaType: 'video/mp4' })
  })

  it('is over with what was wrong', () => {
    const operation = { name: task.reference, done: true, error: { code: 3, message: 'unsafe prompt' } }
    expect(vertexVideo.polling.read(operation, [task], target)).toEqual({
      reports: new Map([[task.reference, { state: 'FAILURE', progress: 100, failReason: 'unsafe prompt' }]]),
    })
  })
})
