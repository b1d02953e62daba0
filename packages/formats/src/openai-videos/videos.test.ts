import { describe, expect, it } from 'bun:test'
import { RequestFault } from '../canonical/codec.ts'
import { encodeVideo, readVideoRequest, type VideoState, videoFields } from './index.ts'

const pixel = 'data:image/png;base64,iVBORw0='
const base = { model: 'kling-v1', prompt: 'a cat' }

function fault(body: unknown): Pick<RequestFault, 'param' | 'code' | 'message'> {
  try {
    readVideoRequest(body)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error('it was taken')
}

describe('a request for a video', () => {
  it("is read in OpenAI's words", () => {
    const body = { ...base, seconds: '8', size: '1280x720', input_reference: { image_url: pixel } }
    expect(readVideoRequest(body)).toEqual({
      model: 'kling-v1',
      order: {
        prompt: 'a cat',
        images: [pixel],
        seconds: 8,
        size: { width: 1280, height: 720 },
        metadata: {},
      },
    })
  })

  it('is read in the words of others', () => {
    const body = {
      ...base,
      duration: 5,
      width: 720,
      height: 1280,
      image: 'https://i.example/1.png',
      images: ['https://i.example/2.png', { url: 'https://i.example/3.png' }],
      mode: 'pro',
      seed: 7,
      negative_prompt: 'dogs',
      cfg_scale: 0.5,
      metadata: { watermark: false },
      user: 'u',
      seconds: null,
    }
    expect(readVideoRequest(body).order).toEqual({
      prompt: 'a cat',
      images: ['https://i.example/1.png', 'https://i.example/2.png', 'https://i.example/3.png'],
      seconds: 5,
      size: { width: 720, height: 1280 },
      mode: 'pro',
      seed: 7,
      negativePrompt: 'dogs',
      metadata: { cfg_scale: 0.5, watermark: false },
    })
  })

  it("is for OpenAI's usual model when it names none", () => {
    expect(readVideoRequest({ prompt: 'a cat', size: 'auto' })).toEqual({
      model: 'sora-2',
      order: { prompt: 'a cat', images: [], metadata: {} },
    })
  })

  it.each([
    [{ model: 'm' }, 'prompt', 'missing_required_parameter'],
    [{ ...base, prompt: ' ' }, 'prompt', 'missing_required_parameter'],
    [{ ...base, prompt: ['a'] }, 'prompt', 'invalid_type'],
    [{ ...base, model: '' }, 'model', 'invalid_value'],
    [{ ...base, model: 7 }, 'model', 'invalid_type'],
    [{ ...base, seconds: 'long' }, 'seconds', 'invalid_value'],
    [{ ...base, seconds: '0' }, 'seconds', 'invalid_value'],
    [{ ...base, duration: -5 }, 'duration', 'invalid_value'],
    [{ ...base, size: '720p' }, 'size', 'invalid_value'],
    [{ ...base, size: '1280×720' }, 'size', 'invalid_value'],
    [{ ...base, size: '99999x1' }, 'size', 'invalid_value'],
    [{ ...base, width: 720 }, 'height', 'missing_required_parameter'],
    [{ ...base, seed: 'x' }, 'seed', 'invalid_type'],
    [{ ...base, mode: {} }, 'mode', 'invalid_type'],
    [{ ...base, metadata: 'x' }, 'metadata', 'invalid_type'],
    [{ ...base, n: 2 }, 'n', 'invalid_value'],
    [{ ...base, image: 'file:///etc/passwd' }, 'image', 'invalid_value'],
    [{ ...base, input_reference: { file_id: 'file_1' } }, 'input_reference.file_id', 'unsupported_parameter'],
    [{ ...base, images: [[pixel]] }, 'images', 'invalid_value'],
    [{ ...base, images: Array.from({ length: 17 }, () => pixel) }, 'images', 'invalid_value'],
    ['a cat', null, 'invalid_type'],
    [null, null, 'invalid_type'],
  ] as const)('%j is refused by name', (body, param, code) => {
    const { message, ...refused } = fault(body)
    expect({ param: refused.param, code: refused.code }).toEqual({ param, code })
    expect(message.length).toBeGreaterThan(20)
  })
})

describe('a form for a video', () => {
  const field = (name: string, text: string) => ({ name, text })

  it('says what JSON says', () => {
    const fields = videoFields([
      field('model', 'kling-v1'),
      field('prompt', 'a cat'),
      field('seconds', '5'),
      field('seed', '7'),
      field('metadata', '{"cfg_scale":0.5}'),
      field('input_reference', pixel),
      field('images[]', pixel),
      field('images[]', 'https://i.example/2.png'),
    ])
    expect(readVideoRequest(fields).order).toEqual({
      prompt: 'a cat',
      images: [pixel, pixel, 'https://i.example/2.png'],
      seconds: 5,
      seed: 7,
      metadata: { cfg_scale: 0.5 },
    })
  })

  it('holds members of objects in brackets', () => {
    const fields = [
      field('prompt', 'a cat'),
      field('input_reference[image_url]', pixel),
      field('metadata[a]', 'b'),
    ]
    const { images, metadata } = readVideoRequest(videoFields(fields)).order
    expect([images, metadata]).toEqual([[pixel], { a: 'b' }])
    expect(fault(videoFields([field('prompt', 'a'), field('seed', 'seven')])).param).toBe('seed')
  })

  it.each([
    ['metadata', '[1]'],
    ['a[b][c]', 'x'],
    ['', 'x'],
    ['__proto__[x]', 'y'],
  ])('%s = %s is refused or harmless', (name, text) => {
    try {
      videoFields([field(name, text)])
    } catch (error) {
      expect(error).toBeInstanceOf(RequestFault)
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

describe('the response', () => {
  const state: VideoState = {
    id: 'video_1',
    model: 'kling-v1',
    status: 'queued',
    progress: 0,
    createdAt: 1700000000,
    completedAt: undefined,
    prompt: 'a cat',
    seconds: 5,
    size: '1280x720',
    error: undefined,
    url: undefined,
  }

  it('has every field that SDKs read', () => {
    expect(JSON.parse(encodeVideo(state))).toEqual({
      id: 'video_1',
      object: 'video',
      model: 'kling-v1',
      status: 'queued',
      progress: 0,
      created_at: 1700000000,
      completed_at: null,
      expires_at: null,
      prompt: 'a cat',
      seconds: '5',
      size: '1280x720',
      remixed_from_video_id: null,
      error: null,
    })
  })

  it('says where the video is, or why there is none', () => {
    const done = {
      ...state,
      status: 'completed',
      completedAt: 1700000100,
      url: 'https://cdn.example/v.mp4',
    } as const
    expect(JSON.parse(encodeVideo(done))).toMatchObject({
      completed_at: 1700000100,
      metadata: { url: 'https://cdn.example/v.mp4' },
    })
    const error = { code: 'generation_failed', message: 'no' }
    expect(JSON.parse(encodeVideo({ ...state, status: 'failed', error }))).toMatchObject({ error })
  })
})
