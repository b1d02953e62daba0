import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { addressedImages, imageCount } from './images.ts'
import { isJsonMode, readModeRequest } from './request-kinds.ts'

const limits = { maxDepth: 16 }
const good = {
  moderations: { input: 'a' },
  rerank: { model: 'm', query: 'q', documents: ['a'] },
  images: { prompt: 'a cat' },
  'image-edits': { prompt: 'a hat', image: 'https://a/0' },
  speech: { input: 'Hi', voice: 'alloy' },
} as const
type Mode = keyof typeof good
const modes = Object.keys(good) as Mode[]

function read(mode: Mode, body: unknown) {
  return readModeRequest(mode, JSON.stringify(body), limits)
}

function paramOf(mode: Mode, change: object): string | null | undefined {
  const reading = read(mode, { ...good[mode], ...change })
  return reading.ok ? undefined : reading.error.param
}

describe('readModeRequest', () => {
  it.each([
    ['moderations', 'text-moderation-stable'],
    ['rerank', 'm'],
    ['images', 'dall-e'],
    ['image-edits', 'dall-e'],
    ['speech', 'tts-1'],
  ] as const)('of %s takes %s for a model where it can', (mode, model) => {
    const reading = read(mode, good[mode])
    expect(reading.ok && reading.request.model).toBe(model)
  })

  it('names the field that is wrong, absent, or there twice', () => {
    for (const [mode, field, values] of [
      ['moderations', 'input', [null, 5, []]],
      ['rerank', 'model', [null, '', 5]],
      ['rerank', 'query', [null, '', 5]],
      ['rerank', 'documents', [null, [], {}, 'a']],
      ['rerank', 'top_n', [0, 1.5, '1']],
      ['rerank', 'return_documents', ['yes']],
      ['images', 'prompt', [null, '', 5]],
      ['images', 'n', [0, 129, 1.5, '2']],
      ['images', 'size', [5, '1024×1024', '1x1']],
      ['images', 'quality', [5]],
      ['images', 'stream', ['true']],
      ['image-edits', 'image', [null, 5]],
      ['speech', 'input', [null, '', ['a']]],
      ['speech', 'voice', [5]],
      ['speech', 'speed', [0.1, 5, '1']],
      ['speech', 'response_format', [5]],
      ['speech', 'stream_format', ['mp3']],
      ['speech', 'model', ['x'.repeat(300)]],
    ] as const) {
      for (const value of values)
        expect([field, value, paramOf(mode, { [field]: value })]).toEqual([field, value, field])
    }
    const twice = readModeRequest('images', '{"prompt":"a","n":1,"n":9}', limits)
    expect(twice.ok ? '' : twice.error.param).toBe('n')
  })

  it('knows the sizes of each DALL·E and of no other', () => {
    expect(paramOf('images', { model: 'dall-e-3', size: '1024x1792' })).toBeUndefined()
    expect(paramOf('images', { model: 'dall-e-3', size: '512x512' })).toBe('size')
    expect(paramOf('images', { model: 'dall-e-2', size: '512x512' })).toBeUndefined()
    expect(paramOf('images', { model: 'gpt-image-1', size: '1536x1024' })).toBeUndefined()
  })

  it('counts the images of an order in whichever field it asks for them', () => {
    const sequence = { sequential_image_generation: 'auto' }
    for (const [body, count] of [
      [{}, 1],
      [{ n: 3 }, 3],
      [{ n: '3' }, 3],
      [{ n: 2, sampleCount: 4 }, 4],
      [{ batch_size: '4' }, 4],
      [{ n: 2, num_images: 0 }, 2],
      [{ num_outputs: { valueOf: 1, toString: 1 } }, 1],
      [{ number_of_images: 1000 }, 128],
      [{ ...sequence, sequential_image_generation_options: { max_images: 6 } }, 6],
      [sequence, 15],
      [{ n: 2, sequential_image_generation: 'disabled' }, 2],
    ] as const)
      expect([body, imageCount(body)]).toEqual([body, count])
  })

  it('fetches images where an upstream names bytes and sends none', () => {
    const response = { data: [{ url: 'https://a/1', b64_json: null }] }
    expect(addressedImages(JSON.stringify(response))?.urls).toEqual(['https://a/1'])
    expect(addressedImages('{"data":[{"url":null,"b64_json": "QQ=="}]}')).toBeUndefined()
  })

  it('throws for no body, whatever it is', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.constantFrom(...modes),
        fc.dictionary(
          fc.constantFrom('model', 'input', 'query', 'documents', 'prompt', 'n', 'size', 'voice', 'image'),
          value,
        ),
        (mode, body) => {
          const reading = read(mode, body)
          if (reading.ok) reading.request.prompt()
          else expect(reading.error.message.length).toBeGreaterThan(5)
        },
      ),
    )
  })

  it('counts characters where the voice is priced by them', () => {
    const prompt = (body: object) => {
      const reading = read('speech', { ...good.speech, ...body })
      return reading.ok ? reading.request.prompt() : undefined
    }
    expect(prompt({ input: 'Grüße 👋🏽' })).toMatchObject({ tokens: 8, texts: [] })
    expect(prompt({ model: 'gpt-4o-mini-tts', instructions: 'slowly' })).toMatchObject({
      tokens: 0,
      texts: ['Hi', 'slowly'],
    })
  })

  it('counts the images that are to be changed', () => {
    const image = [{ image_url: 'https://a/1' }, { file_id: 'file-1' }]
    const reading = read('image-edits', { prompt: 'a hat', images: image })
    const prompt = reading.ok ? reading.request.prompt() : undefined
    expect(prompt).toMatchObject({ texts: ['a hat'], messages: [{ images: [{}, {}] }] })
  })

  it('leaves forms to others', () => {
    expect([isJsonMode('images'), isJsonMode('transcriptions'), isJsonMode('toString')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
