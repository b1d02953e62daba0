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
      { 'api-key': `sk-${key}` },
      { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.sk-${key}` },
    ]) {
      expect(of(headers)).toEqual({ key, pinnedChannel: undefined })
    }
  })

  it('takes the key of a sub-protocol before that of a header', () => {
    const other = 'b'.repeat(48)
    expect(
      of({
        'sec-websocket-protocol': `realtime, openai-insecure-api-key.${key}`,
        authorization: `Bearer ${other}`,
      })?.key,
    ).toBe(key)
  })

  it('passes by places that are empty', () => {
    expect(of({ authorization: 'Bearer ', 'x-api-key': '', 'x-goog-api-key': key })?.key).toBe(key)
    expect(of({ authorization: 'bearer' })).toBeUndefined()
  })

  it('believes x-api-key first where its format says so, and the query where it is one', () => {
    const other = 'b'.repeat(48)
    const both = new Headers({ authorization: `Bearer ${other}`, 'x-api-key': key })
    expect(presentedKey(both)?.key).toBe(other)
    expect(presentedKey(both, { apiKeyFirst: true })?.key).toBe(key)
    expect(presentedKey(new Headers(), { query: `?alt=sse&key=${key}` })?.key).toBe(key)
    expect(presentedKey(both, { query: `?key=${key}` })?.key).toBe(other)
  })

  it('takes the secret of drawing clients where its form says so, and they name no other', () => {
    const drawing = (authorization: string) =>
      presentedKey(new Headers({ authorization, 'mj-api-secret': `sk-${key}` }), { midjourneySecret: true })
        ?.key
    expect(['', 'midjourney-proxy', 'Bearer midjourney-proxy'].map(drawing)).toEqual([key, key, key])
    expect(drawing(`Bearer sk-${'b'.repeat(48)}`)).toBe('b'.repeat(48))
    expect(of({ 'mj-api-secret': key })).toBeUndefined()
  })

  it('takes a channel from behind the dash', () => {
    expect(of({ authorization: `Bearer sk-${key}-17` })).toEqual({ key, pinnedChannel: '17' })
  })

  it('leaves the dashes of a key that has another length, as imported ones have', () => {
    for (const imported of ['aB-c_dEf-GhIj', '-starts-with-one', 'no1'])
      expect(of({ authorization: `Bearer sk-${imported}` })).toEqual({
        key: imported,
        pinnedChannel: undefined,
      })
  })

  it('never takes a key out of a sub-protocol list that has none', () => {
    expect(of({ 'sec-websocket-protocol': 'realtime', authorization: `Bearer sk-${key}` })?.key).toBe(key)
    expect(of({ 'sec-websocket-protocol': 'realtime' })).toBeUndefined()
    expect(of({})).toBeUndefined()
  })
})
