import { describe, expect, it } from 'bun:test'
import { channelTypes, findChannelType, httpFormOf } from './channel-types.ts'

/** Operations §3.2. */
const specIds = [
  1, 2, 5, 36, 4, 14, 33, 41, 3, 34, 39, 43, 15, 46, 17, 18, 16, 26, 24, 11, 47, 25, 20, 19, 23, 31, 35, 37,
  38, 40, 42, 8, 22, 21, 44, 45, 48,
]

describe('channel type catalogue', () => {
  it('has every type of the specification', () => {
    expect(specIds.filter((id) => findChannelType(id) === undefined)).toEqual([])
  })

  it('names each type once', () => {
    expect(new Set(channelTypes.map((type) => type.id)).size).toBe(channelTypes.length)
    expect(new Set(channelTypes.map((type) => type.name)).size).toBe(channelTypes.length)
  })

  it('gives addresses without a trailing slash or version', () => {
    for (const { defaultBaseUrl } of channelTypes)
      expect(defaultBaseUrl).toMatch(/^$|^(https?|wss):\/\/[^?#]*[^/]$/)
    for (const { defaultBaseUrl } of channelTypes) expect(defaultBaseUrl).not.toMatch(/\/v\d+$/)
  })

  it('lists no model of a type twice', () => {
    for (const { models } of channelTypes) expect(new Set(models).size).toBe(models.length)
  })

  it('does not know an id outside the table', () => {
    expect(findChannelType(0)).toBeUndefined()
    expect(findChannelType(999)).toBeUndefined()
  })

  it('accepts WebSocket addresses for upstreams behind one, and for no other', () => {
    expect(httpFormOf('ws://127.0.0.1:9', 18)).toBe('http://127.0.0.1:9')
    expect(httpFormOf('https://h.example', 18)).toBe('https://h.example')
    expect(httpFormOf('wss://h.example', 1)).toBe('wss://h.example')
  })
})
