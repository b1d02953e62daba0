import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import {
  anthropicCaller,
  geminiCaller,
  openAiCaller,
  type SdkAsk,
  type SdkOptions,
} from '../dialects/sdk-callers.ts'
import { anthropicProtocol } from './anthropic.ts'
import { bedrockProtocol } from './bedrock.ts'
import { geminiProtocol } from './gemini.ts'
import { openAiProtocol } from './openai.ts'
import type { Counts, Protocol, ReceivedCall } from './protocol.ts'
import { type ScriptedUpstream, says, startScriptedUpstream } from './scripted-upstream.ts'

const counts: Counts = { input: 100, cacheRead: 40, cacheWrite: 0, output: 30, reasoning: 0 }
const toolCall = { id: 'call_1', name: 'get_weather', pieces: ['{"city":', '"Zürich"}'] }

const speakers: readonly (readonly [string, Protocol, (options: SdkOptions) => SdkAsk])[] = [
  ['OpenAI', openAiProtocol, openAiCaller],
  ['Anthropic', anthropicProtocol, anthropicCaller],
  ['Gemini', geminiProtocol, geminiCaller],
]

describe.each(speakers)('an upstream that speaks as %s does', (_name, protocol, caller) => {
  let upstream: ScriptedUpstream

  beforeAll(async () => {
    upstream = await startScriptedUpstream(protocol)
  })
  afterAll(() => upstream?.stop())

  it.each([true, false])('is understood by its own SDK (stream: %p)', async (stream) => {
    const ask = caller({ gatewayUrl: upstream.url, key: 'sk-a' })
    upstream.on('a-model', says({ text: ['It ', 'is 21.'], counts }))
    const reply = await ask({ model: 'a-model', stream, withTool: false })
    expect(reply.text).toBe('It is 21.')
    expect(Object.values(reply.usage)).toContain(40)

    upstream.on('a-model', says({ toolCalls: [toolCall], counts }))
    const calling = await ask({ model: 'a-model', stream, withTool: true })
    expect(calling.toolCalls).toEqual([{ name: 'get_weather', arguments: { city: 'Zürich' } }])
    upstream.forget()
    await calling.giveResults('21 °C')
    const [call] = upstream.calls
    expect(call && protocol.reported(call).toolTurns).toMatchObject([{ result: '21 °C' }])
  })
})

describe('an upstream that speaks as Bedrock does', () => {
  const key = {
    accessKeyId: 'AKIDEXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }
  const protocol = bedrockProtocol(key)
  const body = Buffer.from(
    '{"anthropic_version":"bedrock-2023-05-31","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}',
  )
  const signed = {
    accept: 'application/json',
    'content-type': 'application/json',
    host: 'bedrock-runtime.us-east-1.amazonaws.com',
    'x-amz-date': '20250102T030405Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20250102/us-east-1/bedrock/aws4_request, SignedHeaders=accept;content-type;host;x-amz-date, Signature=07ec0d4bfaaa3f93db58c61810ccf106043c1b74c4641dfddbaa9c599c077972',
  }
  const call: ReceivedCall = {
    method: 'POST',
    path: '/model/us.anthropic.claude-3-5-haiku-20241022-v1%3A0/invoke',
    query: '',
    headers: signed,
    rawHeaders: [],
    body,
    json: JSON.parse(body.toString()),
    receivedAt: 0,
    abortedAt: undefined,
  }

  it('takes what an independent signer signed, and refuses it with one byte changed', () => {
    expect(protocol.fault(call)).toBeUndefined()
    expect(protocol.fault({ ...call, body: Buffer.from(`${body} `) })?.status).toBe(403)
    expect(protocol.fault({ ...call, headers: { ...signed, authorization: '' } })?.status).toBe(403)
  })

  it('frames its events as the service does, checksums included', () => {
    const vector =
      '0000008800000061de0175f40f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22736c6f7720646f776e227d832ee072'
    expect(Buffer.from(protocol.failure('slow down')).toString('hex')).toBe(vector)
    expect(protocol.frames({ text: ['Hi'] }, call)).toHaveLength(7)
  })
})
