import { describe, expect, it } from 'bun:test'
import { presentedKey } from './presented-key.ts'

const key = 'a'.repeat(48)
const of = (headers: Record<string, string>) => presentedKey(new Headers(headers))

describe('presentedKey', () => {
  it('reads the key from the places clients put it, with or without sk-', () => {
    for (const headers of [
      { authorization: `Bearer sk-${key}` },
      { authorization: `bearer ${key}` },
      { authorization: `sk-${key}` },
      { 'x-api-key': `sk-${key}` },
      { 'x-goog-api-key': key },
      { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.sk-${key}` },
    ]) {
      expect(of(headers)).toEqual({ key, pinnedChannel: undefined })
    }
  })

  it('takes a channel from behind the dash', () => {
    expect(of({ authorization: `Bearer sk-${key}-17` })).toEqual({ key, pinnedChannel: '17' })
  })

  it('never takes a key out of a sub-protocol list that has none', () => {
    expect(of({ 'sec-websocket-protocol': 'realtime', authorization: `Bearer sk-${key}` })?.key).toBe(key)
    expect(of({ 'sec-websocket-protocol': 'realtime' })).toBeUndefined()
    expect(of({})).toBeUndefined()
  })
})
