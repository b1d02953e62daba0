import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const models = ['claude-sonnet-4-5', 'gemini-2.5-flash', 'gpt-4o', 'house/local:8b', 'text-embedding-3-small']

let gateway: Tollgate
let operator: Operator
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'all', base_url: 'http://127.0.0.1:9', models: models.join(',') })
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))))
  key = (await operator.addKey()).key
})
afterAll(() => gateway?.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers })

describe('the list of models', () => {
  it('is read by the SDK of OpenAI', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const { data } = await client.models.list()
    expect(data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
      ['claude-sonnet-4-5', expect.any(String)],
      ['gemini-2.5-flash', 'google gemini'],
      ['gpt-4o', 'openai'],
      ['house/local:8b', 'custom'],
      ['text-embedding-3-small', 'openai'],
    ])
    expect((await client.models.retrieve('gpt-4o')).id).toBe('gpt-4o')
    const missing = await client.models.retrieve('nothing').catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('is read by the SDK of Anthropic, page by page', async () => {
    const client = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 2 })) ids.push(model.id)
    expect(ids).toEqual(models)
    const page = await client.models.list({ limit: 2, before_id: 'house/local:8b' })
    expect(page.data.map(({ id }) => id)).toEqual(['gemini-2.5-flash', 'gpt-4o'])
    expect(await client.models.retrieve('house/local:8b')).toMatchObject({
      type: 'model',
      id: 'house/local:8b',
    })
    const missing = await client.models.retrieve('nothing').catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(Anthropic.NotFoundError)
  })

  it('is read by the SDK of Gemini, page by page', async () => {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })
    const names: (string | undefined)[] = []
    for await (const model of await client.models.list({ config: { pageSize: 2 } })) names.push(model.name)
    expect(names).toEqual(models.map((model) => `models/${model}`))
    const one = await client.models.get({ model: 'gemini-2.5-flash' })
    expect(one.supportedActions).toContain('generateContent')
  })

  it('takes its shape from the headers', async () => {
    const bare = key
    const shapeOf = async (path: string, headers = {}) => Object.keys(await (await get(path, headers)).json())
    expect(await shapeOf('/v1/models', { authorization: `Bearer ${bare}` })).toContain('object')
    expect(await shapeOf('/v1/models', { 'x-api-key': bare })).toContain('object')
    expect(await shapeOf('/v1/models', { 'x-api-key': bare, 'anthropic-version': '2023-06-01' })).toContain(
      'has_more',
    )
    expect(await shapeOf('/v1/models', { 'x-goog-api-key': bare })).toEqual(['models'])
    expect(await shapeOf(`/v1/models?key=${bare}`)).toEqual(['models'])
    expect(await shapeOf(`/v1beta/models?key=${bare}`)).toEqual(['models'])
    expect(await shapeOf('/v1beta/openai/models', { authorization: `bearer ${bare}` })).toContain('object')
  })

  it('is refused in the caller’s format', async () => {
    const refusal = async (path: string, headers = {}) => (await get(path, headers)).json()
    expect(await refusal('/v1/models')).toMatchObject({ error: { code: 'missing_api_key' } })
    expect(await refusal('/v1/models', { 'anthropic-version': '2023-06-01' })).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    })
    expect(await refusal('/v1beta/models')).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } })
    expect(await refusal(`/v1/models?key=${key}&pageSize=-1`)).toMatchObject({
      error: { status: 'INVALID_ARGUMENT', message: expect.stringContaining('pageSize') },
    })
  })
})

describe('a path that is not served', () => {
  const reply = async (method: string, path: string) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    })
    return { status: response.status, ...((await response.json()) as object) }
  }

  it('gets a response in the format of its path’s start', async () => {
    expect(await reply('POST', '/v1/messages/nothing')).toMatchObject({
      status: 404,
      type: 'error',
      error: { type: 'not_found_error' },
    })
    expect(await reply('POST', '/v1beta/models/m:nothing')).toMatchObject({
      status: 404,
      error: { code: 404, status: 'NOT_FOUND' },
    })
    expect(await reply('GET', '/v1/responses/a/nothing')).toMatchObject({
      status: 404,
      error: { type: 'invalid_request_error' },
    })
    expect(await reply('POST', '/v1/nothing')).toMatchObject({
      status: 404,
      error: { type: 'invalid_request_error' },
    })
    for (const path of ['/v1/files', '/v1/batches'])
      expect(await reply('GET', path)).toMatchObject({
        status: 501,
        error: { code: 'api_not_implemented' },
      })
    expect(await reply('GET', '/v1/messages')).toMatchObject({ status: 405, type: 'error' })
  })
})
