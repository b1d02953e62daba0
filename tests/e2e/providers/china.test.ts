import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { anthropicCaller, openAiCaller, type SdkAsk } from '../../support/dialects/sdk-callers.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { baiduProtocol, tokenCalls } from '../../support/protocols/baidu.ts'
import type { Scripted } from '../../support/protocols/protocol.ts'
import {
  failsAfter,
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import {
  errorMessage,
  type SparkUpstream,
  startSparkUpstream,
  textMessage,
} from '../../support/protocols/spark.ts'
import { tencentProtocol } from '../../support/protocols/tencent.ts'
import { zhipuV3Protocol } from '../../support/protocols/zhipu-v3.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

const account = { apiKey: 'Ak7fKq2LmN8pR4sT6vXz', secretKey: 'Sk+9/dG3hJ5kL7mN2pQ4' }
const secretPair = { secretId: 'AKIDz8krbsJ5yKBZQpn74WF', secretKey: 'Gu5t9xGARNpq86cd98joQYCN3' }
const sparkKey = { appId: '5f9b1c2d', apiSecret: 'ZjVhMTJkYjQxNzY4', apiKey: '1ab2c3d4e5f60718293a' }
const zhipuKey = '3d1f0a9b8c7e6d5f.Qw8eRt6yUi4oPa2s'

const baiduSpeaks = baiduProtocol(account)
const types = { baidu: 15, 'zhipu-v3': 16, xunfei: 18, tencent: 23 } as const
type Name = keyof typeof types
const keys: Readonly<Record<Name, string>> = {
  baidu: `${account.apiKey}|${account.secretKey}`,
  'zhipu-v3': zhipuKey,
  xunfei: `${sparkKey.appId}|${sparkKey.apiSecret}|${sparkKey.apiKey}`,
  tencent: `1300000001|${secretPair.secretId}|${secretPair.secretKey}`,
}
const models: Readonly<Record<Name, string>> = {
  baidu: 'ERNIE-4.0-8K',
  'zhipu-v3': 'chatglm_pro',
  xunfei: 'SparkDesk-v3.5',
  tencent: 'hunyuan-turbo',
}

type CallerName = 'openai' | 'anthropic'

/** Models of channels for one test. */
const more = [
  'ERNIE-Bot',
  'ERNIE-Bot-turbo',
  'Embedding-V1',
  'Spark-Max',
  'SparkDesk',
  'hunyuan-pro',
  'hunyuan-embedding',
]

let gateway: Tollgate
let operator: Operator
let key: string
let baidu: ScriptedUpstream
let tencent: ScriptedUpstream
let zhipu: ScriptedUpstream
let spark: SparkUpstream
let sdks: Readonly<Record<CallerName, SdkAsk>>

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  baidu = await startScriptedUpstream(baiduSpeaks)
  tencent = await startScriptedUpstream(tencentProtocol(secretPair))
  zhipu = await startScriptedUpstream(zhipuV3Protocol(zhipuKey))
  spark = startSparkUpstream(sparkKey)
  for (const name of ['baidu', 'zhipu-v3', 'xunfei', 'tencent'] as const) await addChannel(name)
  const each = (ratio: number) =>
    JSON.stringify(Object.fromEntries([...Object.values(models), ...more].map((model) => [model, ratio])))
  await operator.option('ModelRatio', each(2))
  await operator.option('CompletionRatio', each(5))
  key = (await operator.addKey()).key
  const options = { gatewayUrl: gateway.url, key }
  sdks = {
    openai: openAiCaller(options),
    anthropic: anthropicCaller(options),
  }
  // The exchange of keys goes to the same address as what is scripted: it is done before.
  await sdks.openai({ model: models.baidu, stream: false, withTool: false })
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of [baidu, tencent, zhipu, spark]) await upstream?.stop()
})

const urlOf = (name: Name) => ({ baidu, tencent, 'zhipu-v3': zhipu, xunfei: spark })[name].url

function addChannel(name: Name, fields: Readonly<Record<string, unknown>> = {}) {
  const channel = { name, type: types[name], base_url: urlOf(name), key: keys[name], models: models[name] }
  return operator.addChannel({ ...channel, ...fields })
}

function script(name: Name, reply: Scripted): void {
  if (name === 'xunfei') spark.says(reply)
  else ({ baidu, tencent, 'zhipu-v3': zhipu })[name].otherwise(says(reply))
}

const counts = { input: 100, cacheRead: 0, cacheWrite: 0, output: 30, reasoning: 0 }
const usages = {
  openai: { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 },
  anthropic: { input_tokens: 100, output_tokens: 30 },
} as const
const stops = { openai: 'stop', anthropic: 'end_turn' } as const

describe('failures inside a stream', () => {
  it.each(['baidu', 'tencent', 'zhipu-v3'] as const)(
    'of %s reach callers, who pay for what they got',
    async (name) => {
      const upstream = { baidu, tencent, 'zhipu-v3': zhipu }[name]
      upstream.otherwise(failsAfter(2, { text: ['one ', 'two ', 'three '], counts }, 'no more of this'))
      const rows = await operator.consumed()
      for (const caller of ['openai', 'anthropic'] as const)
        expect(
          await sdks[caller]({ model: models[name], stream: true, withTool: false }).catch(String),
        ).toContain('in the middle of its response')
      const { quota, completion_tokens: tokens } = await operator.consumption(rows + 2)
      expect(tokens).toBeGreaterThan(0)
      expect(tokens).toBeLessThan(10)
      expect(quota).toBeGreaterThan(0)
    },
  )
})

/** The status that a caller gets, by its own SDK. */
async function statusOf(model: string, stream: boolean, caller: 'openai' | 'anthropic' = 'openai') {
  try {
    await sdks[caller]({ model, stream, withTool: false })
  } catch (error) {
    if (error instanceof OpenAI.APIError || error instanceof Anthropic.APIError)
      return { status: error.status, message: error.message }
    throw error
  }
  throw new Error('no error')
}

describe('failures inside a 200', () => {
  const jsonBody = (upstream: () => ScriptedUpstream, body: object) =>
    upstream().otherwise(({ call, response, protocol }) => {
      const isToken = call.path.endsWith('/token')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isToken ? protocol.buffered({}, call) : body))
    })

  it.each([true, false])('have the status that they stand for, streamed %p', async (stream) => {
    jsonBody(() => baidu, { error_code: 336_501, error_msg: 'Rate limit reached for RPM' })
    jsonBody(() => zhipu, { code: 1301, msg: 'not shown', success: false })
    const fault = { Code: 'FailedOperation.ResourcePackExhausted', Message: 'nothing left' }
    jsonBody(() => tencent, { Response: { RequestId: 'r', Error: fault } })
    spark.sends([errorMessage(10_013, 'input content audit not pass')])
    expect(await statusOf(models.baidu, stream)).toMatchObject({ status: 429 })
    expect(await statusOf(models['zhipu-v3'], stream)).toMatchObject({ status: 400 })
    // The operator's account is out of credit, which is none of the caller's business.
    expect(await statusOf(models.tencent, stream, 'anthropic')).toMatchObject({ status: 503 })
    expect(await statusOf(models.xunfei, stream, 'anthropic')).toMatchObject({ status: 400 })
  })

  it.each([true, false])('include an empty response of Spark, streamed %p', async (stream) => {
    spark.says({ text: [], counts })
    expect(await statusOf(models.xunfei, stream)).toMatchObject({ status: 502 })
  })
})

describe('buffered responses to callers that requested a stream', () => {
  it.each([
    ['openai', 'baidu'],
    ['openai', 'tencent'],
    ['anthropic', 'zhipu-v3'],
    ['anthropic', 'tencent'],
  ] as const)('reach callers of %s as one, from %s', async (caller, name) => {
    const upstream = { baidu, tencent, 'zhipu-v3': zhipu }[name]
    upstream.otherwise(({ call, response, protocol }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(protocol.buffered({ text: ['All at once.'], counts }, call)))
    })
    const rows = await operator.consumed()
    const reply = await sdks[caller]({ model: models[name], stream: true, withTool: false })
    expect(reply).toMatchObject({ text: 'All at once.', stop: stops[caller], usage: usages[caller] })
    expect(await operator.consumption(rows + 1)).toMatchObject({ quota: 500, is_stream: true })
  })
})

describe('tokens of Baidu', () => {
  beforeAll(() =>
    addChannel('baidu', { name: 'tokens', models: 'ERNIE-Bot', base_url: `${urlOf('baidu')}/` }),
  )
  const ask = () => sdks.openai({ model: 'ERNIE-Bot', stream: true, withTool: false })

  it('are asked for once, by however many calls, and once more when they are withdrawn', async () => {
    baidu.forget()
    baidu.otherwise(says({ text: ['Hello.'], counts }))
    baiduSpeaks.withdrawTokens()
    for (const expected of [1, 2]) {
      const replies = await Promise.all(Array.from({ length: 20 }, ask))
      expect(replies.map(({ text }) => text)).toEqual(Array(20).fill('Hello.'))
      expect(tokenCalls(baidu.calls).length).toBe(expected)
      baiduSpeaks.withdrawTokens()
    }
  })

  it('that the upstream does not give fail the call, without a secret in the message', async () => {
    const wrong = 'WrongSecret0987654321'
    await addChannel('baidu', { name: 'wrong', models: 'ERNIE-Bot-turbo', key: `${account.apiKey}|${wrong}` })
    baidu.forget()
    const failed = await statusOf('ERNIE-Bot-turbo', false)
    expect(failed.status).toBe(502)
    expect(failed.message).toContain('refused the credentials')
    expect(failed.message).not.toContain(wrong)
    expect(tokenCalls(baidu.calls).length).toBe(baidu.calls.length)
  })
})

describe('keys', () => {
  it.each([
    ['baidu', 'only-one-part', 'APIKey|SecretKey'],
    ['baidu', 'a|b|c', 'APIKey|SecretKey'],
    ['xunfei', 'app|secret', 'APPID|APISecret|APIKey'],
    ['tencent', 'id|key', 'AppId|SecretId|SecretKey'],
    ['tencent', 'id||key', 'AppId|SecretId|SecretKey'],
    ['zhipu-v3', 'no-dot', 'id.secret'],
  ] as const)(
    'of %s are refused as %p when they are saved, with the right form',
    async (name, wrong, form) => {
      await expect(addChannel(name, { key: wrong })).rejects.toThrow(form)
    },
  )

  it('with a wrong signature are reported as refused credentials', async () => {
    const [appId = '', , apiKey = ''] = keys.xunfei.split('|')
    await addChannel('xunfei', { models: 'Spark-Max', key: `${appId}|another-secret|${apiKey}` })
    await addChannel('tencent', { models: 'hunyuan-pro', key: `1|${secretPair.secretId}|another-secret` })
    for (const model of ['Spark-Max', 'hunyuan-pro'])
      expect((await statusOf(model, true)).message).toContain('refused the credentials')
    expect(spark.refused).toBeGreaterThan(0)
  })
})

describe('Spark', () => {
  it('is hung up on when its caller is gone', async () => {
    const before = await operator.quota()
    spark.sends([textMessage(0, 0, 'Once upon')])
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Tell me' }]
    const stream = await client.chat.completions.create({ model: models.xunfei, messages, stream: true })
    for await (const { choices } of stream) {
      if (choices[0]?.delta.content !== 'Once upon') continue
      stream.controller.abort()
      break
    }
    expect(await until(() => spark.calls.at(-1)?.closedAt)).toBeGreaterThan(0)
    // What was sent is charged after the caller is gone.
    await until(async () => (await operator.quota()) < before || undefined)
  })

  const noise: readonly (object | string | Uint8Array)[] = [
    ...['', 'null', '7', '[]', '{"header":', `{"x":"${'x'.repeat(300_000)}"}`, '['.repeat(20_000)],
    ...[{}, { header: 7 }, { header: { code: '0' } }],
    ...[crypto.getRandomValues(new Uint8Array(999)), Uint8Array.of(0xc3, 0x28)],
  ]
  const odd = [
    { header: { code: 0 }, payload: { choices: 'none' } },
    { header: { code: 0 }, payload: { choices: { status: 'x', text: [7, null, { content: 1 }] } } },
  ]

  it('survives invalid messages, free of charge, and continues after odd ones', async () => {
    const ask = async (message: object | string) => {
      spark.sends([message, textMessage(0, 0, 'Once'), textMessage(2, 1, ' more')])
      return await sdks
        .openai({ model: models.xunfei, stream: false, withTool: false })
        .then(({ text }) => text)
        .catch((error) => error.status)
    }
    const before = await operator.quota()
    for (const message of noise) expect(await ask(message)).toBe(502)
    expect(await operator.quota()).toBe(before)
    for (const message of odd) expect(await ask(message)).toBe('Once more')
    expect(await operator.quota()).toBeLessThan(before)
  })

  it("takes the channel's version where the model's name says none", async () => {
    spark.says({ text: ['Hi.'], counts })
    await addChannel('xunfei', { models: 'SparkDesk' })
    await sdks.openai({ model: 'SparkDesk', stream: false, withTool: false })
    expect(spark.calls.at(-1)).toMatchObject({
      path: '/v2.1/chat',
      json: { header: { app_id: sparkKey.appId }, parameter: { chat: { domain: 'generalv2' } } },
    })
  })
})

describe('embeddings', () => {
  it.each([
    ['baidu', 'Embedding-V1'],
    ['tencent', 'hunyuan-embedding'],
  ] as const)('of %s come in the form and order that callers know', async (name, model) => {
    await addChannel(name, { models: model })
    const upstream = name === 'baidu' ? baidu : tencent
    upstream.forget()
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const { data, usage } = await client.embeddings.create({ model, input: ['eins', 'zwei'] })
    expect(data.map(({ embedding }) => [...embedding])).toEqual([
      [0.5, 0.25],
      [1.5, 0.25],
    ])
    expect(usage).toEqual({ prompt_tokens: 6, total_tokens: 6 })
    const many = Array.from({ length: 201 }, () => 'a')
    const refusal: unknown = await client.embeddings.create({ model, input: many }).then(
      () => undefined,
      (error) => error,
    )
    expect(refusal).toMatchObject({ status: 400, param: 'input' })
  })
})

describe('channel tests', () => {
  it.each(['baidu', 'zhipu-v3', 'xunfei', 'tencent'] as const)(
    'of %s pass, and quote what is refused',
    async (name) => {
      script(name, { text: ['Hi.'], counts })
      const { id } = await addChannel(name, { name: `test ${name}` })
      expect(await operator.call('GET', `/api/channel/test/${id}`)).toMatchObject({ success: true })
      await operator.api('DELETE', `/api/channel/${id}`)
    },
  )
})
