import { describe, expect, it } from 'bun:test'
import type { EndpointCall, Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { anthropic } from './index.ts'

const target: Target = {
  baseUrl: rowOf('anthropic').baseUrl,
  key: 'sk-ant-api03-x',
  upstreamModel: 'claude-opus-5',
  openaiOrganization: '',
  other: '',
}
const plain: EndpointCall = { stream: false, query: '', headers: {} }

const operation = anthropic.operation('chat', target, 'openai-chat')
if (operation === undefined) throw new Error('no chat')
const endpoint = (more: Partial<Target> = {}, call: Partial<EndpointCall> = {}) =>
  operation.endpoint({ ...target, ...more }, { ...plain, ...call })
const keyHeaders = (key: string) =>
  anthropic.credential.kind === 'headers' ? anthropic.credential.headers({ ...target, key }) : undefined

describe('anthropic', () => {
  it.each([
    ['https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
    ['https://relay.example/v1', 'https://relay.example/v1/messages'],
    ['https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/messages'],
    [
      'https://gateway.example/v1/account/anthropic',
      'https://gateway.example/v1/account/anthropic/v1/messages',
    ],
  ])('is called under the base URL %p at %s', (baseUrl, url) => {
    expect(endpoint({ baseUrl }).url).toBe(url)
  })

  it("keeps the caller's query, version and betas", () => {
    const headers = { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'a, b' }
    expect(endpoint({}, { query: '?beta=true', headers })).toEqual({
      url: 'https://api.anthropic.com/v1/messages?beta=true',
      headers: { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'a, b' },
    })
  })

  it('names a version where the caller names none, the one of the channel before ours', () => {
    expect(endpoint().headers).toEqual({ 'anthropic-version': '2023-06-01' })
    expect(endpoint({ other: '2025-01-01' }).headers).toEqual({ 'anthropic-version': '2025-01-01' })
    expect(endpoint({ other: 'x' }).headers).toEqual({ 'anthropic-version': '2023-06-01' })
  })

  it('sends tokens of subscriptions as bearer tokens, with their beta beside those of the caller', () => {
    const key = 'sk-ant-oat01-x'
    expect(keyHeaders(key)).toEqual({ authorization: `Bearer ${key}` })
    expect(keyHeaders('sk-ant-api03-x')).toEqual({ 'x-api-key': 'sk-ant-api03-x' })
    expect(keyHeaders('')).toEqual({})
    const beta = (headers: Record<string, string>) => endpoint({ key }, { headers }).headers['anthropic-beta']
    expect(beta({})).toBe('oauth-2025-04-20')
    expect(beta({ 'anthropic-beta': 'a,oauth-2025-04-20' })).toBe('a,oauth-2025-04-20')
    expect(anthropic.models?.endpoint({ ...target, key })?.headers['anthropic-beta']).toBe('oauth-2025-04-20')
  })

  it('lists models', () => {
    expect(anthropic.models?.endpoint(target)?.url).toBe('https://api.anthropic.com/v1/models?limit=1000')
    expect(
      anthropic.models?.decode({ data: [{ type: 'model', id: 'claude-opus-5' }], has_more: false }),
    ).toEqual(['claude-opus-5'])
  })
})
