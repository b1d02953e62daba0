import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { openAiProtocol } from '../../support/protocols/openai.ts'
import {
  refuses,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import { addChannelTo } from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let upstreams: readonly ScriptedUpstream[]
let channelIds: readonly number[]
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('ModelRatio', JSON.stringify({ m: 1 }))
  upstreams = await Promise.all([1, 2, 3, 4].map(() => startScriptedUpstream(openAiProtocol)))
  const added: number[] = []
  for (const [index, upstream] of upstreams.entries())
    added.push((await addChannelTo(operator, 'openai', upstream, { name: `c${index}`, models: 'm' })).id)
  channelIds = added
  const { key } = await operator.addKey()
  openai = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of upstreams ?? []) await upstream.stop()
})
beforeEach(() => {
  for (const upstream of upstreams) upstream.forget()
})

const messages = [{ role: 'user' as const, content: 'Hi.' }]
const withCacheKey = (key: string) =>
  openai.chat.completions.create({ model: 'm', messages, prompt_cache_key: key })

/** Counts the calls of each upstream. */
function counts(): number[] {
  return upstreams.map(({ calls }) => calls.length)
}

async function times(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  for (const upstream of upstreams) upstream.forget()
  for (let index = 0; index < count; index += 1) await work(index)
  return counts()
}

function onlyOne(calls: readonly number[]): boolean {
  return calls.filter((count) => count > 0).length === 1
}

describe('calls of one session', () => {
  it('go to one of four channels, and those of many sessions to all', async () => {
    expect(onlyOne(await times(8, () => withCacheKey('one')))).toBe(true)
    const spread = await times(60, (index) => withCacheKey(`session ${index}`))
    expect(Math.min(...spread)).toBeGreaterThan(3)
  })

  it('are known by what each client names its session with', async () => {
    const fields = ['session-id', 'session_id', 'x-session-id', 'x-claude-code-session-id']
    for (const field of fields) {
      const headers = { [field]: 'a5f7' }
      const ask = () => openai.chat.completions.create({ model: 'm', messages }, { headers })
      expect(onlyOne(await times(5, ask))).toBe(true)
    }
    const metadata = { user_id: 'user_1f_account__session_77' }
    const ask = () => anthropic.messages.create({ model: 'm', max_tokens: 50, messages, metadata })
    expect(onlyOne(await times(5, ask))).toBe(true)
  })

  it('fall on to one other channel while theirs fails, and come back', async () => {
    const own = (await times(3, () => withCacheKey('wanders'))).findIndex((count) => count > 0)
    upstreams[own]?.otherwise(refuses(500))
    for (let index = 0; index < 8; index += 1) await withCacheKey('wanders')
    const others = counts().filter((count, index) => index !== own && count > 0)
    expect(others).toEqual([8])
    await operator.api('PUT', '/api/channel/', { id: channelIds[own], status: 2 })
    await operator.api('PUT', '/api/channel/', { id: channelIds[own], status: 1 })
    const back = await times(4, () => withCacheKey('wanders'))
    expect(back[own]).toBe(4)
  })

  it('pass by a channel that has reached its limit', async () => {
    const own = (await times(2, () => withCacheKey('limited'))).findIndex((count) => count > 0)
    const id = channelIds[own]
    await operator.api('PUT', '/api/channel/', { id, setting: '{"requests_per_minute": 2}' })
    const after = await times(6, () => withCacheKey('limited'))
    expect(after[own]).toBe(2)
    expect(after.filter((count) => count > 0).toSorted()).toEqual([2, 4])
    await operator.api('PUT', '/api/channel/', { id, setting: '' })
  })

  it('say in their log row what they were known by', async () => {
    const total = await operator.consumed()
    await withCacheKey('told')
    const row = await operator.consumption(total + 1)
    expect(JSON.parse(row.other).admin_info.affinity).toEqual({
      by: 'prompt_cache_key',
      channel: row.channel,
    })
  })
})

describe('calls without a session', () => {
  it('take turns', async () => {
    const ask = () => openai.chat.completions.create({ model: 'm', messages })
    expect(Math.min(...(await times(12, ask)))).toBeGreaterThan(1)
  })

  it('stay with those that begin alike, where the operator wants it', async () => {
    await operator.option('ConversationAffinityEnabled', 'true')
    const turn = (question: string, length: number) => {
      const more = Array.from({ length }, () => ({ role: 'assistant' as const, content: 'Yes.' }))
      const requested = [{ role: 'user' as const, content: question }, ...more]
      return openai.chat.completions.create({ model: 'm', messages: requested })
    }
    expect(onlyOne(await times(5, (index) => turn('Are you there?', index)))).toBe(true)
    const spread = await times(40, (index) => turn(`Question ${index}`, 0))
    expect(Math.min(...spread)).toBeGreaterThan(1)
    await operator.option('ConversationAffinityEnabled', 'false')
  })

  it('are the same as all others where the operator wants no affinity', async () => {
    await operator.option('SessionAffinityEnabled', 'false')
    expect(Math.min(...(await times(12, () => withCacheKey('off'))))).toBeGreaterThan(1)
    await operator.option('SessionAffinityEnabled', 'true')
  })
})
