import { describe, expect, it } from 'bun:test'
import { imageSizeOf } from './image-size.ts'
import { imageRuleOf, imageTokens, roughImageTokens, unseenImageTokens } from './image-tokens.ts'

const dataUrl = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`

function png(width: number, height: number): string {
  const bytes = Buffer.alloc(33)
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return dataUrl('png', bytes)
}

/** JFIF segment, a quantisation table, then the frame header. */
function jpeg(width: number, height: number): string {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const before = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb00040000', 'hex')
  return dataUrl('jpeg', Buffer.concat([before, frame]))
}

function webp(coding: string, body: Buffer): string {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  return dataUrl(
    'webp',
    Buffer.concat([head, Buffer.from(coding, 'latin1'), Buffer.alloc(4), body, Buffer.alloc(20)]),
  )
}

describe('imageSizeOf', () => {
  it.each([
    ['PNG', png(640, 480), { width: 640, height: 480 }],
    ['JPEG', jpeg(800, 600), { width: 800, height: 600 }],
    ['GIF', dataUrl('gif', Buffer.from('474946383961200010000000', 'hex')), { width: 32, height: 16 }],
    ['WebP, lossy', webp('VP8 ', Buffer.from('0000009d012a40010f00', 'hex')), { width: 320, height: 15 }],
    ['WebP, lossless', webp('VP8L', Buffer.from('2f3fc10700', 'hex')), { width: 320, height: 32 }],
    ['WebP, extended', webp('VP8X', Buffer.from('000000003f01001f0000', 'hex')), { width: 320, height: 32 }],
  ])('reads %s', (_, url, size) => {
    expect(imageSizeOf(url)).toEqual(size)
  })

  it.each([
    'https://example.com/a.png',
    'data:image/png;base64,AAAA',
    'data:,',
    '',
    dataUrl('jpeg', Buffer.from('ffd8ffff', 'hex')),
  ])('cannot tell the size of %p', (url) => {
    expect(imageSizeOf(url)).toBeUndefined()
  })
})

describe('imageTokens', () => {
  it.each([
    ['gpt-4o', 'high', png(1024, 1024), 765],
    ['gpt-4o', 'auto', png(2048, 4096), 1105],
    ['gpt-4o', '', png(512, 512), 255],
    ['gpt-4o', 'low', png(4096, 8192), 85],
    ['gpt-4o-mini', 'high', png(1024, 1024), 2833 + 4 * 5667],
    ['gpt-5', 'high', png(1024, 1024), 70 + 4 * 140],
    ['glm-4v', 'high', png(1024, 1024), 1047],
    ['glm-4v', 'low', png(1024, 1024), 1047],
    ['gpt-4o', 'high', 'https://example.com/a.png', 255],
    ['gpt-5', 'high', 'https://example.com/a.png', 210],
    ['computer-use-preview', 'high', png(512, 512), 65 + 129],
    ['o4-mini', 'high', png(1024, 1024), Math.ceil(1024 * 1.72)],
    ['gpt-4.1-mini', 'auto', png(1800, 2400), Math.ceil(1536 * 1.62)],
    ['gpt-5-nano', 'high', 'https://example.com/a.png', Math.ceil(256 * 2.46)],
    ['claude-opus-4-5', '', png(4000, 4000), 1000],
    ['anthropic.claude-3-haiku', '', 'https://example.com/a.png', 1000],
    ['gemini-2.5-pro', '', png(400, 400), 258],
    ['gpt-4o', 'high', png(4_000_000_000, 1), 85 + 4 * 170],
  ])('of %s at detail %p', (model, detail, url, tokens) => {
    const rule = imageRuleOf(model)
    expect(imageTokens(rule, { detail, url })).toBe(tokens)
    expect(roughImageTokens(rule, { detail, url })).toBeGreaterThanOrEqual(tokens)
    expect(unseenImageTokens(rule, { detail, url })).toBe(imageTokens(rule, { detail, url: 'https://a' }))
  })
})
