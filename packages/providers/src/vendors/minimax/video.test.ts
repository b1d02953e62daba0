import { describe, expect, it } from 'bun:test'
import type { VideoOrder } from '../../task.ts'
import { isMinimaxVideo, minimaxVideo } from './video.ts'

const target = {
  baseUrl: 'https://m.example',
  key: 'k',
  openaiOrganization: '',
  other: '',
  upstreamModel: 'MiniMax-Hailuo-02',
}
const order: VideoOrder = { prompt: 'a cat', images: [], metadata: {} }
const task = { reference: 'm1', model: 'MiniMax-Hailuo-02' }
const well = { status_code: 0, status_msg: 'success' }

function request(requested: Partial<VideoOrder>, model = target.upstreamModel) {
  return minimaxVideo.submit({ ...order, ...requested }, { ...target, upstreamModel: model })
}

const ordered = request({})

describe('videos of MiniMax', () => {
  it('are ordered with their usual length and resolution', () => {
    expect(request({}).url).toBe('https://m.example/v1/video_generation')
    expect(JSON.parse(request({}).body)).toEqual({
      model: 'MiniMax-Hailuo-02',
      prompt: 'a cat',
      duration: 6,
      resolution: '768P',
    })
  })

  it('are as large as was ordered, the usual size of others included', () => {
    const size = (width: number, height: number) =>
      minimaxVideo.terms({ ...order, size: { width, height } }, target).resolution
    expect([size(1280, 720), size(1366, 768), size(1920, 1080)]).toEqual(['768p', '768p', '1080p'])
    expect(() => request({ size: { width: 1920, height: 1080 }, seconds: 10 })).toThrow(
      'seconds 10 is not supported by the upstream that serves the model: use 6',
    )
  })

  it('begin with an image, and end with another', () => {
    expect(
      JSON.parse(request({ images: ['https://i.example/1.png', 'https://i.example/2.png'] }).body),
    ).toMatchObject({
      first_frame_image: 'https://i.example/1.png',
      last_frame_image: 'https://i.example/2.png',
    })
    expect(JSON.parse(request({ images: ['https://i.example/1.png'] }, 'S2V-01').body)).toMatchObject({
      subject_reference: [{ type: 'character', image: ['https://i.example/1.png'] }],
    })
    expect(() => request({}, 'I2V-01')).toThrow('input_reference is required')
    expect(() => request({ images: ['https://i.example/1.png'] }, 'T2V-01')).toThrow('input_reference')
  })

  it('are asked for a second time when they are finished, for their address', () => {
    const query = { task_id: 'm1', status: 'Success', file_id: 'f/1', base_resp: well }
    expect(minimaxVideo.polling.read(query, [task], { ...target, other: 'g1' })).toEqual({
      next: {
        method: 'GET',
        url: 'https://m.example/v1/files/retrieve?GroupId=g1&file_id=f%2F1',
        headers: {},
        body: '',
      },
    })
    const file = { file: { file_id: 1, download_url: 'https://cdn.example/m.mp4' }, base_resp: well }
    expect(minimaxVideo.polling.read(file, [task], target)).toMatchObject({
      reports: new Map([['m1', { state: 'SUCCESS', properties: { url: 'https://cdn.example/m.mp4' } }]]),
    })
  })

  it('are not taken where the 200 says no', () => {
    expect(minimaxVideo.reference({ task_id: 'm1', base_resp: well }, ordered)).toBe('m1')
    expect(
      minimaxVideo.reference({ task_id: 'm1', base_resp: { status_code: 1008 } }, ordered),
    ).toBeUndefined()
  })

  it('come of models that make videos, not of those that talk', () => {
    expect(['T2V-01-Director', 'MiniMax-Hailuo-2.3-Fast'].every(isMinimaxVideo)).toBe(true)
    expect(['MiniMax-M2', 'abab6.5-chat', 'speech-02-hd', 'image-01'].some(isMinimaxVideo)).toBe(false)
  })
})
