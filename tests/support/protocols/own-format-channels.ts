import type { Operator } from '../operator.ts'
import { aiProxyLibraryProtocol } from './ai-proxy-library.ts'
import { baiduProtocol } from './baidu.ts'
import { cohereProtocol } from './cohere.ts'
import { converseProtocol } from './converse.ts'
import { application, difyProtocol } from './dify.ts'
import { fastgptProtocol } from './fastgpt.ts'
import { type InspectedUpstream, overHttp, overSpark } from './inspected-upstream.ts'
import { openAiProtocol } from './openai.ts'
import type { Protocol } from './protocol.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'
import { startSparkUpstream } from './spark.ts'
import { tencentProtocol } from './tencent.ts'
import type { Feature } from './upstream-channels.ts'
import { startTokenIssuer, type TokenIssuer, vertexProtocol } from './vertex.ts'
import { zhipuV3Protocol } from './zhipu-v3.ts'

/** A provider with its own wire format, or with other vendors' formats at its own addresses and credentials. */
export interface OwnFormat {
  start(issuer: TokenIssuer): Promise<InspectedUpstream>
  readonly channelType: number
  /** Key of its channel; the service account where the issuer's tokens are taken. */
  readonly key: string | ((issuer: TokenIssuer) => string)
  /** The channel's free field. */
  readonly other?: string
  readonly model: string
  /** The model as the upstream expects it, where that differs from its name. */
  readonly modelInPrompt?: string
  /** The model that sees images, where not every one does. */
  readonly seeingModel?: string
  /** Features that it refuses by name. */
  readonly lacks?: readonly Feature[]
  /** Features that a response silently lacks. */
  readonly unsupported?: readonly UnsupportedFeature[]
  /** It always shows its reasoning; the request has no field for it. */
  readonly thinksByDefault?: boolean
}

/** Features that a request may name and a response may lack. */
export type UnsupportedFeature = 'parallel' | 'reasoning' | 'usage'

export type OwnFormatName = (typeof ownFormatNames)[number]
export const ownFormatNames = [
  'converse',
  'vertex gemini',
  'vertex claude',
  'vertex open',
  'cohere',
  'tencent',
  'baidu',
  'zhipu v3',
  'xunfei',
  'ai proxy',
  'dify',
  'fastgpt',
  'ai proxy library',
] as const

const awsKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const baiduKey = { apiKey: 'Ak7fKq2LmN8pR4sT6vXz', secretKey: 'Sk+9/dG3hJ5kL7mN2pQ4' }
const tencentKey = { secretId: 'AKIDz8krbsJ5yKBZQpn74WF', secretKey: 'Gu5t9xGARNpq86cd98joQYCN3' }
const sparkKey = { appId: '5f9b1c2d', apiSecret: 'ZjVhMTJkYjQxNzY4', apiKey: '1ab2c3d4e5f60718293a' }
const zhipuKey = '3d1f0a9b8c7e6d5f.Qw8eRt6yUi4oPa2s'

const overHttpAs = (protocol: Protocol) => async () => overHttp(await startScriptedUpstream(protocol))

const atVertex = {
  start: async (issuer: TokenIssuer) => overHttp(await startScriptedUpstream(vertexProtocol(issuer))),
  channelType: 41,
  key: (issuer: TokenIssuer) => issuer.key,
  other: 'us-central1',
}

export const ownFormats: Readonly<Record<OwnFormatName, OwnFormat>> = {
  converse: {
    start: overHttpAs(converseProtocol(awsKey)),
    channelType: 33,
    key: `${awsKey.accessKeyId}|${awsKey.secret}|${awsKey.region}`,
    model: 'amazon.nova-2-lite-v1:0',
    modelInPrompt: 'us.amazon.nova-2-lite-v1:0',
  },
  'vertex gemini': { ...atVertex, model: 'gemini-3-flash-preview' },
  'vertex claude': {
    ...atVertex,
    model: 'claude-haiku-4-5-20251001',
    modelInPrompt: 'claude-haiku-4-5@20251001',
  },
  'vertex open': { ...atVertex, model: 'openai/gpt-oss-120b-maas' },
  cohere: {
    start: overHttpAs(cohereProtocol),
    channelType: 34,
    key: 'co-upstream-0001',
    model: 'command-a-reasoning-08-2025',
  },
  tencent: {
    start: overHttpAs(tencentProtocol(tencentKey)),
    channelType: 23,
    key: `1300000001|${tencentKey.secretId}|${tencentKey.secretKey}`,
    model: 'hunyuan-t1-latest',
    seeingModel: 'hunyuan-vision',
    lacks: ['schema'],
    thinksByDefault: true,
  },
  baidu: {
    start: overHttpAs(baiduProtocol(baiduKey)),
    channelType: 15,
    key: `${baiduKey.apiKey}|${baiduKey.secretKey}`,
    model: 'ERNIE-4.0-8K',
    modelInPrompt: 'completions_pro',
    lacks: ['image', 'schema'],
    unsupported: ['parallel', 'reasoning'],
  },
  'zhipu v3': {
    start: overHttpAs(zhipuV3Protocol(zhipuKey)),
    channelType: 16,
    key: zhipuKey,
    model: 'chatglm_pro',
    lacks: ['tools', 'parallel', 'image', 'schema'],
    unsupported: ['reasoning'],
  },
  xunfei: {
    start: async () => overSpark(startSparkUpstream(sparkKey)),
    channelType: 18,
    key: `${sparkKey.appId}|${sparkKey.apiSecret}|${sparkKey.apiKey}`,
    model: 'SparkDesk-v3.5',
    modelInPrompt: '/v3.5/chat',
    lacks: ['image', 'schema'],
    unsupported: ['parallel', 'reasoning'],
  },
  'ai proxy': {
    start: overHttpAs(openAiProtocol),
    channelType: 10,
    key: 'sk-aiproxy-0001',
    model: 'ai-proxy-gpt-4o',
  },
  dify: {
    start: overHttpAs(difyProtocol()),
    channelType: 37,
    key: 'app-chatflow-secret-0001',
    model: 'our-chatflow',
    modelInPrompt: application,
    lacks: ['tools', 'parallel', 'schema'],
    thinksByDefault: true,
  },
  fastgpt: {
    start: overHttpAs(fastgptProtocol),
    channelType: 22,
    key: 'fastgpt-secret0001-64f3app',
    model: 'our-workflow',
    modelInPrompt: application,
    lacks: ['tools', 'parallel', 'schema'],
    unsupported: ['usage'],
    thinksByDefault: true,
  },
  'ai proxy library': {
    start: overHttpAs(aiProxyLibraryProtocol),
    channelType: 21,
    key: 'aiproxy-secret-00001',
    other: '123456',
    model: 'our-library',
    lacks: ['tools', 'parallel', 'image', 'schema'],
    unsupported: ['reasoning', 'usage'],
  },
}

export interface OwnFormatUpstreams {
  readonly upstreams: Readonly<Record<OwnFormatName, InspectedUpstream>>
  stop(): Promise<void>
}

/** One of each, each with a channel of its own that has what tokens it needs. */
export async function startOwnFormats(operator: Operator): Promise<OwnFormatUpstreams> {
  const issuer = await startTokenIssuer()
  const started = await Promise.all(
    ownFormatNames.map(async (name) => {
      const { channelType: type, key, other = '', model, seeingModel, start } = ownFormats[name]
      const upstream = await start(issuer)
      const models = seeingModel === undefined ? model : `${model},${seeingModel}`
      const fields = {
        name,
        type,
        key: typeof key === 'string' ? key : key(issuer),
        other,
        base_url: upstream.url,
        models,
      }
      const { id } = await operator.addChannel(fields)
      upstream.says({ text: ['Hello.'] })
      const test = await operator.call('GET', `/api/channel/test/${id}`)
      if (!test.success) throw new Error(`the channel ${name} does not work: ${test.message}`)
      return [name, upstream] as const
    }),
  )
  const upstreams = Object.fromEntries(started) as OwnFormatUpstreams['upstreams']
  return {
    upstreams,
    async stop() {
      for (const upstream of Object.values(upstreams)) await upstream.stop()
      await issuer.stop()
    },
  }
}
