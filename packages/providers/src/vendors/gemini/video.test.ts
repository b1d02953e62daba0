import { describe, expect, it } from 'bun:test'
import type { VideoOrder } from '../../task.ts'
import { geminiVideo } from './modes.ts'

const target = {
  baseUrl: 'https://g.example',
  key: 'k',
  openaiOrganization: '',
  other: '',
  upstreamModel: 'veo-3.0-generate-001',
}
const order: VideoOrder = { prompt: 'a cat', images: [], metadata: {} }
const pixel = 'data:image/png;base64,iVBORw0='
const task = { reference: 'models/veo-3.0-generate-001/operations/op1', model: 'veo-3.0-generate-001' }

const ordered = geminiVideo.submit(order, target)

function sent(wanted: Partial<VideoOrder>, model = target.upstreamModel) {
  return JSON.parse(geminiVideo.submit({ ...order, ...wanted }, { ...target, upstreamModel: model }).body)
}

function fault(wanted: Partial<VideoOrder>, model = target.upstreamModel) {
  return expect(() => geminiVideo.submit({ ...order, ...wanted }, { ...target, upstreamModel: model }))
}

describe('Veo at the Gemini API', () => {
  it('is ordered as a prediction that runs long', () => {
    const request = geminiVideo.submit({ ...order, size: { width: 1280, height: 720 } }, target)
    expect(request.url).toBe('https://g.example/v1beta/models/veo-3.0-generate-001:predictLongRunning')
    expect(JSON.parse(request.body)).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 8 },
    })
  })

  it('takes one image as the first frame, two as both ends, and three as references', () => {
    const picture = { bytesBase64Encoded: 'iVBORw0=', mimeType: 'image/png' }
    expect(sent({ images: [pixel] }).instances).toEqual([{ prompt: 'a cat', image: picture }])
    expect(sent({ images: [pixel, pixel] }).instances[0].lastFrame).toEqual(picture)
    expect(sent({ images: [pixel, pixel, pixel] }).instances[0].referenceImages).toHaveLength(3)
  })

  it('takes fields of its own, bare or where the body has them', () => {
    const metadata = { personGeneration: 'allow_adult', parameters: { durationSeconds: 4 }, model: 'veo-9' }
    expect(sent({ metadata })).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { personGeneration: 'allow_adult', durationSeconds: 4 },
    })
    expect(geminiVideo.terms({ ...order, metadata }, target)).toEqual({
      seconds: 4,
      resolution: '720p',
      sound: 'usual',
    })
  })

  it('names the unsupported field, and the supported values', () => {
    fault({ seconds: 5 }).toThrow(
      'seconds 5 is not supported by the upstream that serves the model: use 4, 6 or 8',
    )
    fault({ size: { width: 1024, height: 1792 } }).toThrow('use 1280x720 or 1920x1080')
    fault({ size: { width: 960, height: 960 } }).toThrow('16:9 or 9:16')
    fault({ images: ['https://x.example/a.png'] }).toThrow('send a file or a data URL')
    fault({ metadata: { sampleCount: 4 } }).toThrow('metadata.sampleCount')
    fault({ metadata: { instances: [{}, {}] } }).toThrow('metadata.instances')
    fault({ metadata: { parameters: { storageUri: 'gs://b' } } }).toThrow('metadata.storageUri')
    fault({ mode: 'pro' }).toThrow('mode is not supported')
  })

  it('knows what each generation makes', () => {
    const size = { width: 3840, height: 2160 }
    const newest = { ...target, upstreamModel: 'veo-3.1-generate-preview' }
    expect(geminiVideo.terms({ ...order, size }, newest)).toEqual({
      seconds: 8,
      resolution: '4k',
      sound: 'usual',
    })
    fault({ size }).toThrow('size')
    expect(
      sent({ seconds: 5, size: { width: 720, height: 1280 } }, 'veo-2.0-generate-001').parameters,
    ).toEqual({
      aspectRatio: '9:16',
      durationSeconds: 5,
    })
  })

  it('takes names of operations for references, and nothing else', () => {
    expect(geminiVideo.reference({ name: task.reference }, ordered)).toBe(task.reference)
    for (const name of ['models/../../x/operations/1', 'operations/1', '', 7])
      expect(geminiVideo.reference({ name }, ordered)).toBeUndefined()
  })

  it('sends the key for the bytes to the host of the channel alone', () => {
    const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc-1:download?alt=media'
    expect(geminiVideo.content?.(task, uri, target)?.url).toBe(
      'https://g.example/v1beta/files/abc-1:download?alt=media',
    )
    expect(geminiVideo.content?.(task, 'https://cdn.example/v.mp4', target)).toBeUndefined()
  })

  it('reads what the filters kept back as the reason of a failure', () => {
    const response = { generateVideoResponse: { raiMediaFilteredReasons: ['No faces of the famous.'] } }
    const report = geminiVideo.polling.read({ done: true, response }, [task], target)
    expect(report).toEqual({
      reports: new Map([
        [task.reference, { state: 'FAILURE', progress: 100, failReason: 'No faces of the famous.' }],
      ]),
    })
  })
})
