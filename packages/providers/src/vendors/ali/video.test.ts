import { describe, expect, it } from 'bun:test'
import { rowOf } from '../../table.ts'
import type { VideoOrder } from '../../task.ts'
import { aliVideo, isAliVideo } from './video.ts'

const target = {
  baseUrl: rowOf('ali').baseUrl,
  key: 'k',
  openaiOrganization: '',
  other: '',
  upstreamModel: 'wan2.5-t2v-preview',
}
const order: VideoOrder = { prompt: 'a cat', images: [], metadata: {} }
const task = { reference: 't-1', model: 'wan2.5-t2v-preview' }

function request(requested: Partial<VideoOrder>, model = target.upstreamModel) {
  return aliVideo.submit({ ...order, ...requested }, { ...target, upstreamModel: model })
}
const ordered = request({})
const body = (...requested: Parameters<typeof request>) => JSON.parse(request(...requested).body)

describe('Wan', () => {
  it('is ordered as a task', () => {
    const { url, headers } = request({})
    expect(url).toBe('https://dashscope.aliyuncs.com/api/v1/services/aigc/video-generation/video-synthesis')
    expect(headers).toMatchObject({ 'x-dashscope-async': 'enable' })
    expect(body({ size: { width: 720, height: 1280 }, seed: 3, negativePrompt: 'dogs' })).toEqual({
      model: 'wan2.5-t2v-preview',
      input: { prompt: 'a cat', negative_prompt: 'dogs' },
      parameters: { size: '720*1280', seed: 3, duration: 5 },
    })
  })

  it('makes videos of images by the forms of its generations', () => {
    const images = ['https://i.example/1.png', 'data:image/png;base64,AA==']
    expect(body({ images: images.slice(0, 1) }, 'wan2.2-i2v-flash')).toMatchObject({
      input: { img_url: images[0] },
      parameters: { resolution: '720P', duration: 5 },
    })
    expect(body({ images }, 'wan2.2-kf2v-flash').input).toMatchObject({
      first_frame_url: images[0],
      last_frame_url: images[1],
    })
    expect(request({ images }, 'wan2.2-kf2v-flash').url).toEndWith('/aigc/image2video/video-synthesis')
    expect(body({ images }, 'wan2.7-i2v').input.media).toEqual([
      { type: 'first_frame', url: images[0] },
      { type: 'last_frame', url: images[1] },
    ])
    expect(() => request({ images })).toThrow('use none')
    expect(() => request({}, 'wan2.2-i2v-plus')).toThrow('input_reference is required')
  })

  it('takes fields of its own, and charges by them', () => {
    const metadata = {
      prompt_extend: false,
      input: { audio_url: 'https://a.example/1.mp3' },
      size: '1920*1080',
    }
    expect(body({ metadata })).toMatchObject({
      input: { prompt: 'a cat', audio_url: 'https://a.example/1.mp3' },
      parameters: { prompt_extend: false, size: '1920*1080' },
    })
    expect(aliVideo.terms({ ...order, metadata }, target)).toEqual({
      seconds: 5,
      resolution: '1080p',
      sound: 'usual',
    })
    expect(() => request({ metadata: { size: '1920*1080', resolution: '480P' } })).toThrow('metadata.size')
    expect(() => request({ metadata: { size: 'large' } })).toThrow('metadata.size')
    expect(() => request({ metadata: { duration: 300 } })).toThrow('metadata.duration')
  })

  it('is followed by the id of the task', () => {
    expect(aliVideo.reference({ output: { task_id: 't-1', task_status: 'PENDING' } }, ordered)).toBe('t-1')
    expect(aliVideo.polling.question([task], target).url).toBe(
      'https://dashscope.aliyuncs.com/api/v1/tasks/t-1',
    )
    const read = (output: object) => aliVideo.polling.read({ output }, [task], target)
    expect(read({ task_status: 'SUCCEEDED', video_url: 'https://cdn.example/w.mp4' })).toMatchObject({
      reports: new Map([['t-1', { state: 'SUCCESS', properties: { url: 'https://cdn.example/w.mp4' } }]]),
    })
    expect(read({ task_status: 'FAILED', code: 'InvalidParameter', message: 'too long' })).toMatchObject({
      reports: new Map([['t-1', { state: 'FAILURE', failReason: 'too long' }]]),
    })
    expect(read({ task_status: 'RESTING' })).toBeUndefined()
  })

  it('is distinguished from image models', () => {
    expect(['wan2.6-t2v', 'wanx2.1-i2v-turbo', 'wan3.0-video'].every(isAliVideo)).toBe(true)
    expect(['wanx-v1', 'wanx2.1-t2i-turbo', 'wan2.6-image', 'qwen-plus'].some(isAliVideo)).toBe(false)
  })
})
