import { describe, expect, it } from 'bun:test'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { gemini } from './index.ts'

const target: Target = {
  baseUrl: rowOf('gemini').baseUrl,
  key: 'AIza-x',
  upstreamModel: 'gemini-3.8-flash',
  openaiOrganization: '',
  other: '',
}
const host = 'https://generativelanguage.googleapis.com'

function url(more: Partial<Target> = {}, stream = false): string | undefined {
  const wanted = { ...target, ...more }
  return gemini.operation('chat', wanted, 'gemini')?.endpoint(wanted, { stream, query: '', headers: {} }).url
}

describe('gemini', () => {
  it('says in the address what is asked', () => {
    expect(url()).toBe(`${host}/v1beta/models/gemini-3.8-flash:generateContent`)
    expect(url({}, true)).toBe(`${host}/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse`)
  })

  it('takes the version from the base URL, else from the free field', () => {
    expect(url({ other: 'v1' })).toBe(`${host}/v1/models/gemini-3.8-flash:generateContent`)
    expect(url({ other: '../x' })).toBe(`${host}/v1beta/models/gemini-3.8-flash:generateContent`)
    const baseUrl = 'https://relay.example/v1/account/google'
    expect(url({ baseUrl, other: 'v1' })).toBe(`${baseUrl}/v1/models/gemini-3.8-flash:generateContent`)
    expect(url({ baseUrl: 'https://relay.example/v1alpha', other: 'v1' })).toBe(
      'https://relay.example/v1alpha/models/gemini-3.8-flash:generateContent',
    )
  })

  it('names resources as they are, and lets no name climb out of its path', () => {
    expect(url({ upstreamModel: 'models/a' })).toBe(`${host}/v1beta/models/a:generateContent`)
    expect(url({ upstreamModel: 'tunedModels/mine' })).toBe(`${host}/v1beta/tunedModels/mine:generateContent`)
    expect(url({ upstreamModel: '../a?b' })).toBe(`${host}/v1beta/models%2F..%2Fa%3Fb:generateContent`)
  })

  it('has its key in a header, and lists models without their prefix', () => {
    const { credential, models } = gemini
    expect(credential.kind === 'headers' && credential.headers(target)).toEqual({
      'x-goog-api-key': 'AIza-x',
    })
    expect(models?.endpoint(target)).toEqual({ url: `${host}/v1beta/models?pageSize=1000`, headers: {} })
    expect(models?.decode({ models: [{ name: 'models/gemini-3.8-flash' }] })).toEqual(['gemini-3.8-flash'])
  })
})
