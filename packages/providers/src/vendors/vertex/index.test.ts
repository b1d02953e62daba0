import { describe, expect, it } from 'bun:test'
import { createHash, createHmac, createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import { scanTopLevel } from '@tollgate/formats'
import type { SigningTools } from '../../credential.ts'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { vertexCredential } from './credential.ts'
import { vertex } from './index.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const account = {
  type: 'service_account',
  project_id: 'house-1',
  private_key_id: 'kid1',
  private_key: privateKey,
  client_email: 'relay@house-1.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
}
const target: Target = {
  baseUrl: rowOf('vertex').baseUrl,
  key: JSON.stringify(account),
  upstreamModel: 'gemini-3.5-flash',
  openaiOrganization: '',
  other: 'us-central1',
}
const tools: SigningTools = {
  nowMs: 1_700_000_000_000,
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
  hmacSha256Hex: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  rsaSha256: (pem, text) => createSign('RSA-SHA256').update(text).sign(pem),
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  base64url: (bytes) => Buffer.from(bytes).toString('base64url'),
  randomId: () => 'r',
}

function operationOf(model: string, key = target.key) {
  const operation = vertex.operation('chat', { ...target, key, upstreamModel: model }, 'openai-chat')
  if (operation === undefined) throw new Error(`no chat with ${model}`)
  return operation
}

function urlOf(model: string, more: Partial<Target> = {}, stream = false): string {
  const call = { stream, query: '', headers: {} }
  return operationOf(model, more.key).endpoint({ ...target, upstreamModel: model, ...more }, call).url
}

const claims = (assertion: string) =>
  assertion
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))

describe('vertex', () => {
  it('exchanges a service account for a token', () => {
    const { url, headers, body } = vertexCredential.exchange(target, tools)
    expect(url).toBe('https://oauth2.googleapis.com/token')
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    const form = new URLSearchParams(body)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const assertion = form.get('assertion') ?? ''
    expect(claims(assertion)).toEqual([
      { alg: 'RS256', typ: 'JWT', kid: 'kid1' },
      {
        iss: account.client_email,
        scope: 'https://www.googleapis.com/auth/cloud-platform',
        aud: account.token_uri,
        iat: 1_700_000_000,
        exp: 1_700_003_600,
      },
    ])
    const [head, body64, signature = ''] = assertion.split('.')
    const signed = createVerify('RSA-SHA256').update(`${head}.${body64}`)
    expect(signed.verify(publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  it('reads keys whose line breaks were escaped twice', () => {
    const escaped = { ...account, private_key: privateKey.replaceAll('\n', '\\n') }
    const request = { ...target, key: JSON.stringify(escaped) }
    expect(vertexCredential.exchange(request, tools)).toEqual(vertexCredential.exchange(target, tools))
  })

  it('asks for tokens at Google alone, but for channels with an address of their own', () => {
    const elsewhere = {
      ...target,
      key: JSON.stringify({ ...account, token_uri: 'http://127.0.0.1:9/token' }),
    }
    expect(() => vertexCredential.exchange(elsewhere, tools)).toThrow(TypeError)
    expect(vertexCredential.exchange({ ...elsewhere, baseUrl: 'http://127.0.0.1:9' }, tools).url).toBe(
      'http://127.0.0.1:9/token',
    )
  })

  it('reads tokens, and what is none', () => {
    expect(vertexCredential.decodeToken({ access_token: 'ya29.x', expires_in: 3599 })).toEqual({
      token: 'ya29.x',
      expiresInSeconds: 3599,
    })
    for (const none of [null, {}, { error: 'invalid_grant' }, [], 'x'])
      expect(vertexCredential.decodeToken(none)).toBeUndefined()
  })

  it.each([
    [
      'gemini-3.5-flash',
      false,
      'https://us-central1-aiplatform.googleapis.com/v1/projects/house-1/locations/us-central1/publishers/google/models/gemini-3.5-flash:generateContent',
    ],
    [
      'gemini-3.5-flash',
      true,
      'https://us-central1-aiplatform.googleapis.com/v1/projects/house-1/locations/us-central1/publishers/google/models/gemini-3.5-flash:streamGenerateContent?alt=sse',
    ],
    [
      'claude-3-5-sonnet-20241022',
      false,
      'https://us-central1-aiplatform.googleapis.com/v1/projects/house-1/locations/us-central1/publishers/anthropic/models/claude-3-5-sonnet-v2@20241022:rawPredict',
    ],
    [
      'claude-haiku-4-5',
      true,
      'https://us-central1-aiplatform.googleapis.com/v1/projects/house-1/locations/us-central1/publishers/anthropic/models/claude-haiku-4-5@20251001:streamRawPredict',
    ],
    [
      'openai/gpt-oss-120b-maas',
      true,
      'https://us-central1-aiplatform.googleapis.com/v1/projects/house-1/locations/us-central1/endpoints/openapi/chat/completions',
    ],
    [
      'mistral-medium-3',
      true,
      'https://us-central1-aiplatform.googleapis.com/v1/projects/house-1/locations/us-central1/publishers/mistralai/models/mistral-medium-3:streamRawPredict',
    ],
  ])('asks %s (stream: %p) at its address', (model, stream, url) => {
    expect(urlOf(model, {}, stream)).toBe(url)
  })

  it('goes to the region of the model, by the name that callers use or by its own', () => {
    const other = JSON.stringify({
      default: 'europe-west4',
      mine: 'us-east5',
      'claude-opus-4-5@20251101': 'global',
      'gemini-3.5-flash': 'eu',
    })
    const host = (model: string, more: Partial<Target> = {}) =>
      /^https:\/\/([^/]+)\/v1\/projects\/house-1\/locations\/([^/]+)\//
        .exec(urlOf(model, { other, ...more }))
        ?.slice(1)
    expect(host('gemini-2.5-pro')).toEqual(['europe-west4-aiplatform.googleapis.com', 'europe-west4'])
    expect(host('claude-opus-4-5', { callerModel: 'mine' })).toEqual([
      'us-east5-aiplatform.googleapis.com',
      'us-east5',
    ])
    expect(host('claude-opus-4-5-20251101')).toEqual(['aiplatform.googleapis.com', 'global'])
    expect(host('gemini-3.5-flash')).toEqual(['aiplatform.eu.rep.googleapis.com', 'eu'])
    expect(urlOf('gemini-3.5-flash', { other: '' })).toContain('/locations/us-central1/')
    expect(() => urlOf('gemini-3.5-flash', { other: 'evil.example/' })).toThrow(TypeError)
  })

  it('goes where the channel says', () => {
    expect(urlOf('gemini-3.5-flash', { baseUrl: 'http://127.0.0.1:9' })).toStartWith(
      'http://127.0.0.1:9/v1/projects/house-1/locations/us-central1/',
    )
    expect(urlOf('gemini-3.5-flash', { baseUrl: 'https://{region}.proxy.example/v1beta1' })).toStartWith(
      'https://us-central1.proxy.example/v1beta1/projects/',
    )
  })

  it('takes an API key for models of Google, without a project', () => {
    const key = `AQ.${'k'.repeat(40)}`
    expect(urlOf('gemini-3.5-flash', { key })).toBe(
      'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-3.5-flash:generateContent',
    )
    expect(vertexCredential.direct?.({ ...target, key })).toEqual({ 'x-goog-api-key': key })
    expect(vertexCredential.direct?.(target)).toBeUndefined()
    const claude = { ...target, key, upstreamModel: 'claude-opus-5' }
    expect(vertex.operation('chat', claude, 'openai-chat')).toBeUndefined()
    expect(vertex.models?.endpoint({ ...target, key })).toBeUndefined()
  })

  it.each([
    '{',
    '{}',
    '{"client_email":"a","private_key":"b"}',
    '{"project_id":"../x","client_email":"a","private_key":"b"}',
  ])('takes %s for no key', (key) => {
    expect(() => urlOf('gemini-3.5-flash', { key })).toThrow(TypeError)
  })

  it("puts the version of Claude's API into the body, and sends the betas that are known there", () => {
    const body = { model: 'claude-opus-5', stream: true, max_tokens: 5 }
    const text = JSON.stringify(body)
    const scan = scanTopLevel(text, 8)
    if (!scan.ok) throw new Error('not scanned')
    const claude = operationOf('claude-opus-5')
    expect(Object.fromEntries(claude.quirks?.({ text, scan, body }, 'claude-opus-5', {}) ?? [])).toEqual({
      model: undefined,
      anthropic_version: '"vertex-2023-10-16"',
    })
    const betas = 'claude-code-20250219,context-1m-2025-08-07,web-search-2025-03-05'
    const requested = { 'anthropic-beta': betas, 'anthropic-version': '2023-06-01' }
    const call = { stream: true, query: '?beta=true', headers: requested }
    const { headers } = claude.endpoint({ ...target, upstreamModel: 'claude-opus-5' }, call)
    expect(headers).toEqual({
      'anthropic-version': '',
      'anthropic-beta': 'context-1m-2025-08-07,web-search-2025-03-05',
    })
  })

  it("lists Google's models", () => {
    expect(vertex.models?.endpoint(target)).toEqual({
      url: 'https://us-central1-aiplatform.googleapis.com/v1beta1/publishers/google/models?pageSize=1000',
      headers: { 'x-goog-user-project': 'house-1' },
    })
    const publisherModels = [{ name: 'publishers/google/models/gemini-3.5-flash' }, { name: 7 }]
    expect(vertex.models?.decode({ publisherModels })).toEqual(['gemini-3.5-flash'])
  })

  it('reads failures in both shapes', () => {
    const kindOf = (status: number, body: unknown) =>
      vertex.decodeError({ status, headers: {}, body: JSON.stringify(body) }).kind
    const google = { code: 403, message: 'denied', status: 'PERMISSION_DENIED' }
    expect(kindOf(403, { error: google })).toBe('forbidden')
    expect(kindOf(429, [{ error: { ...google, code: 429, status: 'RESOURCE_EXHAUSTED' } }])).toBe(
      'rate_limited',
    )
    expect(kindOf(200, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } })).toBe(
      'overloaded',
    )
  })
})
