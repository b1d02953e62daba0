import { describe, expect, it } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { scanTopLevel } from '@tollgate/formats'
import type { SigningTools } from '../../credential.ts'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { aws } from './index.ts'
import { bedrockModelId, foundationModelId } from './model-id.ts'
import { canonicalRequest } from './sigv4.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const target: Target = {
  baseUrl: rowOf('aws').baseUrl,
  key: `AKIDEXAMPLE|${secret}|us-east-1`,
  upstreamModel: 'claude-3-5-haiku-20241022',
  openaiOrganization: '',
  other: '',
}
const none = () => {
  throw new Error('not needed here')
}
const tools: SigningTools = {
  nowMs: Date.UTC(2025, 0, 2, 3, 4, 5, 678),
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
  hmacSha256Hex: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  rsaSha256: none,
  base64: none,
  base64url: none,
  randomId: none,
}
const operation = aws.operation('chat', target, 'anthropic-messages')
if (operation === undefined) throw new Error('no chat')
const endpoint = (more: Partial<Target> = {}, stream = false) =>
  operation.endpoint({ ...target, ...more }, { stream, query: '', headers: {} })
const body =
  '{"anthropic_version":"bedrock-2023-05-31","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}'

function sign(more: Partial<Target> = {}) {
  if (aws.credential.kind !== 'signed') throw new Error('not signed')
  const requested = { ...target, ...more }
  return aws.credential.sign({ ...endpoint(more), method: 'POST', body }, requested, tools)
}

function edited(request: Record<string, unknown>, beta = '', model = 'm') {
  const text = JSON.stringify(request)
  const scan = scanTopLevel(text, 8)
  if (!scan.ok) throw new Error('not scanned')
  const edits = operation?.quirks?.({ text, scan, body: request }, model, { 'anthropic-beta': beta })
  return Object.fromEntries(edits ?? [])
}

describe('aws', () => {
  it('signs as a known signer does', () => {
    expect(sign()).toMatchObject({
      url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-5-haiku-20241022-v1%3A0/invoke',
      headers: {
        'x-amz-date': '20250102T030405Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20250102/us-east-1/bedrock/aws4_request, SignedHeaders=accept;content-type;host;x-amz-date, Signature=07ec0d4bfaaa3f93db58c61810ccf106043c1b74c4641dfddbaa9c599c077972',
      },
    })
  })

  it('encodes the path twice, sorts the query, and leaves what proxies may change unsigned', () => {
    const { text, signedHeaders } = canonicalRequest(
      {
        method: 'GET',
        url: 'https://H.example:8443/model/a%3A0/x?b=2&a=%2F&a=1',
        headers: { accept: ' a   b ', 'user-agent': 'x', 'X-Amz-Date': 'd' },
        body: '',
      },
      tools,
    )
    expect(signedHeaders).toBe('accept;host;x-amz-date')
    expect(text).toBe(
      `GET\n/model/a%253A0/x\na=%2F&a=1&b=2\naccept:a b\nhost:h.example:8443\nx-amz-date:d\n\naccept;host;x-amz-date\n${tools.sha256Hex('')}`,
    )
  })

  it('sends an API key as a bearer token, unsigned', () => {
    const { headers } = sign({ key: 'bedrock-api-key-x|eu-west-1' })
    expect(headers.authorization).toBe('Bearer bedrock-api-key-x')
    expect(headers['x-amz-date']).toBeUndefined()
  })

  it.each([
    '',
    'a',
    'a|b',
    'a||us-east-1',
    'a|b|c|us-east-1',
    'a|b|evil.example/',
    'a|b|us-east-1.evil.example',
  ])('takes %p for no key', (key) => {
    expect(() => endpoint({ key })).toThrow(TypeError)
  })

  it("goes to the key's region, or where the channel says", () => {
    const stream = endpoint({ key: 'a|b|eu-central-1' }, true)
    expect(stream.url).toBe(
      'https://bedrock-runtime.eu-central-1.amazonaws.com/model/anthropic.claude-3-5-haiku-20241022-v1%3A0/invoke-with-response-stream',
    )
    expect(stream.headers['x-amzn-bedrock-accept']).toBe('application/json')
    expect(endpoint({ key: 'a|b|cn-north-1' }).url).toStartWith(
      'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/',
    )
    expect(endpoint({ baseUrl: 'http://127.0.0.1:9' }).url).toStartWith('http://127.0.0.1:9/model/')
    expect(aws.models?.endpoint(target)?.url).toBe(
      'https://bedrock.us-east-1.amazonaws.com/foundation-models',
    )
  })

  it.each([
    ['claude-3-5-sonnet-20241022', 'us-west-2', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-5-sonnet-20241022', 'ap-northeast-1', 'apac.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-opus-20240229', 'eu-west-1', 'anthropic.claude-3-opus-20240229-v1:0'],
    ['claude-sonnet-4-5', 'ap-northeast-1', 'jp.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5-20250929', 'ap-southeast-2', 'au.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5-20250929', 'ap-south-1', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-opus-5', 'eu-west-1', 'eu.anthropic.claude-opus-5'],
    ['claude-opus-5', 'sa-east-1', 'global.anthropic.claude-opus-5'],
    ['claude-3-7-sonnet-20250219', 'us-gov-west-1', 'us-gov.anthropic.claude-3-7-sonnet-20250219-v1:0'],
    ['claude-sonnet-4-0', 'us-east-1', 'us.anthropic.claude-sonnet-4-20250514-v1:0'],
    ['claude-opus-4-0', 'us-east-1', 'us.anthropic.claude-opus-4-20250514-v1:0'],
    ['claude-3-5-sonnet-latest', 'us-west-2', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-5-haiku-latest', 'us-west-2', 'us.anthropic.claude-3-5-haiku-20241022-v1:0'],
    ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
    ['amazon.nova-pro-v1:0', 'ap-northeast-1', 'apac.amazon.nova-pro-v1:0'],
    ['amazon.nova-2-lite-v1:0', 'ap-northeast-1', 'jp.amazon.nova-2-lite-v1:0'],
    ['eu.amazon.nova-pro-v1:0', 'us-east-1', 'eu.amazon.nova-pro-v1:0'],
    ['meta.llama3-3-70b-instruct-v1:0', 'eu-west-1', 'meta.llama3-3-70b-instruct-v1:0'],
    ['meta.llama4-scout-17b-instruct-v1:0', 'us-west-2', 'us.meta.llama4-scout-17b-instruct-v1:0'],
    ['openai.gpt-oss-120b-1:0', 'us-west-2', 'openai.gpt-oss-120b-1:0'],
    ['eu.anthropic.claude-opus-5', 'us-east-1', 'eu.anthropic.claude-opus-5'],
    ['anthropic.claude-opus-5', 'us-east-1', 'anthropic.claude-opus-5'],
    [
      'arn:aws:bedrock:us-east-1:1:application-inference-profile/x',
      'us-east-1',
      'arn:aws:bedrock:us-east-1:1:application-inference-profile/x',
    ],
  ])('knows %s in %s as %s', (model, region, id) => {
    expect(bedrockModelId(model, region)).toBe(id)
  })

  it('counts tokens of the model itself, which has no profile', () => {
    const sonnet = 'anthropic.claude-sonnet-4-20250514-v1:0'
    for (const model of ['claude-sonnet-4-0', `eu.${sonnet}`, sonnet])
      expect(foundationModelId(model)).toBe(sonnet)
    const count = (upstreamModel: string) => aws.counting?.({ ...target, upstreamModel })
    expect([count('claude-opus-5')?.format, count('amazon.nova-pro-v1:0')]).toEqual([
      'anthropic-messages',
      undefined,
    ])
  })

  it('asks Claude by InvokeModel, all others by Converse', () => {
    const requested = (upstreamModel: string, wanted: 'openai-chat' | 'anthropic-messages' = 'openai-chat') =>
      aws.operation('chat', { ...target, upstreamModel }, wanted)?.format
    for (const claude of [
      'claude-opus-5',
      'us.anthropic.claude-opus-5',
      'arn:aws:bedrock:x::foundation-model/anthropic.y',
    ])
      expect(requested(claude)).toBe('anthropic-messages')
    for (const other of [
      'amazon.nova-pro-v1:0',
      'us.meta.llama4-scout-17b-instruct-v1:0',
      'mistral.mistral-large-2407-v1:0',
    ])
      expect(requested(other, 'anthropic-messages')).toBe('bedrock-converse')
    const ownProfile = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x'
    expect([requested(ownProfile), requested(ownProfile, 'anthropic-messages')]).toEqual([
      'bedrock-converse',
      'anthropic-messages',
    ])
    const nova = aws.operation('chat', { ...target, upstreamModel: 'amazon.nova-pro-v1:0' }, 'openai-chat')
    const call = { stream: true, query: '', headers: {} }
    expect(nova?.endpoint({ ...target, upstreamModel: 'amazon.nova-pro-v1:0' }, call)).toEqual({
      url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-pro-v1%3A0/converse-stream',
      headers: { accept: 'application/vnd.amazon.eventstream', 'content-type': 'application/json' },
    })
  })

  it('puts version and known betas into the body, and removes the fields of the address', () => {
    const plain = {
      model: undefined,
      stream: undefined,
      anthropic_version: '"bedrock-2023-05-31"',
    }
    expect(edited({ model: 'm', stream: true })).toEqual(plain)
    const betas = 'claude-code-20250219, context-1m-2025-08-07,oauth-2025-04-20,effort-2025-11-24'
    expect(edited({ anthropic_beta: ['x', 'compact-2026-01-12'] }, betas)).toEqual({
      ...plain,
      anthropic_beta: '["compact-2026-01-12","context-1m-2025-08-07","effort-2025-11-24"]',
    })
    expect(edited({ anthropic_beta: ['x'] })).toHaveProperty('anthropic_beta', undefined)
    expect(edited({}, '', 'claude-opus-5-thinking').model).toBeUndefined()
  })

  it("lists models, Anthropic's by the names that callers use", () => {
    const ids = [
      'anthropic.claude-3-haiku-20240307-v1:0:48k',
      'anthropic.claude-3-haiku-20240307-v1:0',
      'anthropic.claude-v2:1',
      'anthropic.claude-opus-5',
      'anthropic.claude-opus-4-6-v1',
      'amazon.nova-pro-v1:0',
    ]
    expect(aws.models?.decode({ modelSummaries: ids.map((modelId) => ({ modelId })) })).toEqual([
      'claude-3-haiku-20240307',
      'claude-2.1',
      'claude-opus-5',
      'claude-opus-4-6',
      'amazon.nova-pro-v1:0',
    ])
    const summary = (modelId: string, outputModalities: readonly string[], status = 'ACTIVE') => ({
      modelId,
      outputModalities,
      modelLifecycle: { status },
    })
    const modelSummaries = [
      summary('amazon.titan-embed-text-v2:0', ['EMBEDDING']),
      summary('amazon.nova-canvas-v1:0', ['IMAGE']),
      summary('meta.llama2-13b-chat-v1', ['TEXT'], 'LEGACY'),
      { modelId: 7 },
      null,
    ]
    expect(aws.models?.decode({ modelSummaries })).toEqual(['amazon.titan-embed-text-v2:0'])
    for (const none of [null, [], { modelSummaries: 'x' }]) expect(aws.models?.decode(none)).toEqual([])
  })
})
