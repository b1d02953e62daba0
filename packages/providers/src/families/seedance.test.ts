import { describe, expect, it } from 'bun:test'
import type { VideoOrder } from '../task.ts'
import { seedance } from './seedance.ts'

const target = {
  baseUrl: '',
  key: 'k',
  openaiOrganization: '',
  other: '',
  upstreamModel: 'doubao-seedance-1-0-pro-250528',
}
const order: VideoOrder = { prompt: 'a cat', images: [], metadata: {} }
const task = { reference: 'cgt-1', model: target.upstreamModel }

function body(requested: Partial<VideoOrder>) {
  return JSON.parse(seedance.submit({ ...order, ...requested }, target).body)
}

describe('Seedance', () => {
  it('is ordered with what decides its price', () => {
    expect(body({ size: { width: 1280, height: 720 }, images: ['https://i.example/1.png'] })).toEqual({
      model: 'doubao-seedance-1-0-pro-250528',
      content: [
        { type: 'text', text: 'a cat' },
        { type: 'image_url', image_url: { url: 'https://i.example/1.png' }, role: 'first_frame' },
      ],
      resolution: '720p',
      ratio: '16:9',
      duration: 5,
    })
    expect(seedance.terms(order, target)).toEqual({ seconds: 5, resolution: '1080p' })
  })

  it('counts frames as seconds', () => {
    const metadata = { frames: 57 }
    expect(body({ metadata })).not.toHaveProperty('duration')
    expect(seedance.terms({ ...order, metadata }, target)).toEqual({ seconds: 3, resolution: '1080p' })
    expect(() => body({ metadata: { frames: 1e6 } })).toThrow('metadata.frames')
  })

  it('gets no options in the prompt that would cost more', () => {
    expect(() => body({ prompt: 'a cat --dur 12' })).toThrow('prompt has the option --dur')
    const content = [{ type: 'text', text: 'a cat --RS 1080p' }]
    expect(() => body({ metadata: { content } })).toThrow('--RS')
    expect(body({ prompt: 'a cat --camerafixed true' }).content[0].text).toBe('a cat --camerafixed true')
  })

  it('ends when the upstream gives up, too', () => {
    expect(seedance.polling.read({ id: 'cgt-1', status: 'expired' }, [task], target)).toMatchObject({
      reports: new Map([['cgt-1', { state: 'FAILURE', failReason: 'the upstream’s task was expired' }]]),
    })
  })
})
