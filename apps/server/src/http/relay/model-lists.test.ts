import { describe, expect, it } from 'bun:test'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { modelLists } from './model-lists.ts'

const models = ['a', 'b', 'c', 'd', 'e']
const requested = (text: string) => new URLSearchParams(text)

describe('models for clients of OpenAI', () => {
  it('have the fields of today and those that older clients read', () => {
    expect(modelLists.openai.list(['gpt-4o', 'house'], requested(''))).toMatchObject({
      object: 'list',
      success: true,
      data: [
        { id: 'gpt-4o', object: 'model', owned_by: 'openai', root: 'gpt-4o', parent: null },
        { id: 'house', owned_by: 'custom', permission: [{ object: 'model_permission', group: null }] },
      ],
    })
  })

  it('are owned by whom the catalogue names', () => {
    expect(modelLists.openai.one('claude-sonnet-5')).toMatchObject({ owned_by: 'claude' })
    expect(modelLists.openai.one('deepseek-chat')).toMatchObject({ owned_by: 'deepseek' })
  })
})

describe('models for clients of Anthropic', () => {
  const page = (text: string) =>
    modelLists.anthropic.list(models, requested(text)) as { data: { id: string }[] }
  const ids = (text: string) => page(text).data.map(({ id }) => id)

  it('come in pages, forwards and backwards', () => {
    expect(page('limit=2')).toMatchObject({ has_more: true, first_id: 'a', last_id: 'b' })
    expect(ids('limit=2&after_id=b')).toEqual(['c', 'd'])
    expect(page('limit=2&after_id=c')).toMatchObject({ has_more: false, first_id: 'd', last_id: 'e' })
    expect(ids('limit=2&before_id=d')).toEqual(['b', 'c'])
    expect(page('limit=2&before_id=d')).toMatchObject({ has_more: true })
    expect(page('limit=2&before_id=b')).toMatchObject({ has_more: false, first_id: 'a', last_id: 'a' })
  })

  it('end in a page without models', () => {
    expect(page('after_id=e')).toEqual({ data: [], has_more: false, first_id: null, last_id: null } as never)
  })

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=x'],
    ['after_id', 'after_id=nothing'],
    ['before_id', 'after_id=a&before_id=b'],
  ])('are refused with the name of %s when asked for as %s', (param, query) => {
    expect(refusal(() => page(query))).toMatchObject({ status: 400, param })
  })

  it('have the fields of the vendor', () => {
    expect(modelLists.anthropic.one('m')).toEqual({
      type: 'model',
      id: 'm',
      display_name: 'm',
      created_at: '2021-07-20T10:40:00Z',
    })
  })
})

describe('models for clients of Gemini', () => {
  type Page = { models: { name: string }[]; nextPageToken?: string }
  const page = (text: string) => modelLists.gemini.list(models, requested(text)) as Page

  it('come in pages by token', () => {
    const first = page('pageSize=3')
    expect(first.models.map(({ name }) => name)).toEqual(['models/a', 'models/b', 'models/c'])
    const second = page(`pageSize=3&pageToken=${first.nextPageToken}`)
    expect(second.models.map(({ name }) => name)).toEqual(['models/d', 'models/e'])
    expect(second.nextPageToken).toBeUndefined()
  })

  it('go on behind a model that has left the list', () => {
    const { nextPageToken } = page('pageSize=2')
    const list = modelLists.gemini.list(['a', 'c'], requested(`pageToken=${nextPageToken}`)) as Page
    expect(list.models.map(({ name }) => name)).toEqual(['models/c'])
  })

  it('say what they can be asked', () => {
    expect(modelLists.gemini.one('gemini-2.5-flash')).toMatchObject({
      name: 'models/gemini-2.5-flash',
      inputTokenLimit: 1_048_576,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    })
    expect(modelLists.gemini.one('text-embedding-3-small')).toMatchObject({
      supportedGenerationMethods: ['embedContent', 'batchEmbedContents', 'countTokens'],
    })
  })

  it('refuse a token that is none', () => {
    expect(refusal(() => page('pageToken=!!'))).toMatchObject({ status: 400, param: 'pageToken' })
  })
})

function refusal(work: () => unknown): RelayError {
  try {
    work()
  } catch (error) {
    if (error instanceof RelayError) return error
  }
  throw new Error('not refused')
}
