import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/protocols/scripted-upstream.ts'
import {
  regionOf,
  startTokenIssuer,
  type TokenIssuer,
  vertexProtocol,
} from '../../support/protocols/vertex.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let issuer: TokenIssuer
let vertex: ScriptedUpstream
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  issuer = await startTokenIssuer()
  vertex = await startScriptedUpstream(vertexProtocol(issuer))
  await operator.addChannel({
    name: 'vertex',
    base_url: vertex.url,
    models: 'gemini-3-pro-preview,claude-sonnet-4-5-20250929',
    type: 41,
    key: issuer.key,
    other: '{"default":"us-central1","claude-sonnet-4-5-20250929":"europe-west1"}',
  })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await issuer?.stop()
  await vertex?.stop()
})

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const chat = (model: string, more: object = {}) =>
  post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }], ...more })

describe('tokens of a service account', () => {
  it('are fetched once for all calls side by side, and once more when they are refused', async () => {
    vertex.forget()
    issuer.revoke()
    const before = issuer.issued
    for (const round of [1, 2]) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => chat('gemini-3-pro-preview')))
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect(issuer.issued).toBe(before + round)
      if (round === 1) issuer.revoke()
    }
  })
})

describe('Claude at Vertex', () => {
  it('is asked in its region, with the betas that are known there, and nothing else of the caller', async () => {
    vertex.forget()
    const requested = {
      model: 'claude-sonnet-4-5-20250929',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
      new_field: 1,
    }
    const beta = 'claude-code-20250219,context-1m-2025-08-07'
    const reply = await post('/v1/messages?beta=true', requested, {
      'anthropic-version': '2023-06-01',
      'anthropic-beta': beta,
    })
    expect(reply.status).toBe(200)
    const [call] = vertex.calls
    expect(call === undefined ? '' : regionOf(call)).toBe('europe-west1')
    expect(call?.headers['anthropic-beta']).toBe('context-1m-2025-08-07')
    expect(call?.json).toMatchObject({ max_tokens: 9 })
    expect(call?.json).not.toHaveProperty('new_field')
    expect(reply.headers.get('x-tollgate-warning')).toContain('new_field')
  })

  it('is not asked for what it does not serve', async () => {
    vertex.forget()
    const tools = [{ type: 'web_fetch_20250910', name: 'web_fetch' }]
    const requested = {
      model: 'claude-sonnet-4-5-20250929',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
      tools,
    }
    const reply = await post('/v1/messages', requested)
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('tools[0] is not supported')
    expect(vertex.calls).toEqual([])
  })
})

describe('invalid keys', () => {
  it.each([
    [41, 'sk-plain', 'us-central1', 'client_email'],
    [41, '{"client_email":"a","private_key":"-----BEGIN"}', 'us-central1', 'project_id'],
    [33, 'AKID|secret', '', 'AccessKeyId|SecretAccessKey|Region'],
    [33, 'AKID|secret|us-east-1|more', '', 'AccessKeyId|SecretAccessKey|Region'],
  ] as const)('of type %i are refused when the channel is saved: %s', async (type, wrong, other, visible) => {
    const refused = await operator
      .addChannel({ name: 'bad', base_url: '', type, key: wrong, other, models: 'm' })
      .catch((error) => error)
    expect(String(refused?.message ?? refused)).toContain(visible)
  })
})
