import { describe, expect, it } from 'bun:test'
import { type ChatRequest, fitRequest, type JsonObject } from '@tollgate/formats'
import { providerTable } from '../table.ts'
import { profileOf } from './profile-of.ts'
import { profileResolver } from './resolve-profile.ts'
import { schemaProfileOf } from './schema-profiles.ts'

/** Returns the dialects of schemas that a provider reads, whatever the model. */
function schemasOf(provider: string) {
  const entry = profileOf(provider)
  return schemaProfileOf('chat' in entry ? undefined : profileResolver(entry)('m').schema)
}

const request = (parameters: JsonObject, strict?: boolean): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [],
  tools: [{ type: 'function', name: 'f', parameters, ...(strict !== undefined && { strict }) }],
  sampling: { stop: [], candidates: 1 },
  options: {},
})

function fitted(provider: string, parameters: JsonObject, strict?: boolean) {
  const dropped = new Set<string>()
  const { tools } = fitRequest(request(parameters, strict), schemasOf(provider), dropped)
  return { tool: tools[0], dropped: [...dropped] }
}

const text = { type: 'string' }
const optional = { type: 'object', properties: { a: text }, additionalProperties: false }
const complete = { ...optional, required: ['a'] }

describe('schemaProfileOf', () => {
  it('knows every provider, also one that nobody described', () => {
    for (const { id } of providerTable) expect(schemasOf(id).tools.name).not.toBe('')
    expect(schemaProfileOf(undefined)).toBe(schemasOf('mistral'))
  })

  it.each(['openai', 'azure', 'groq', 'cerebras'])(
    'keeps strict tools strict at %s, and drops the word where it would be refused',
    (provider) => {
      expect(fitted(provider, complete, true)).toMatchObject({ tool: { strict: true }, dropped: [] })
      expect(fitted(provider, optional, true)).toMatchObject({
        tool: { strict: false, parameters: { properties: { a: text } } },
        dropped: ['strict'],
      })
    },
  )

  it('leaves strict as it comes where no limits are documented', () => {
    expect(fitted('mistral', optional, true)).toMatchObject({ tool: { strict: true }, dropped: [] })
  })

  it('says alternatives, references and definitions as Moonshot reads them', () => {
    const parameters = {
      type: 'object',
      properties: {
        id: { $ref: '#/definitions/id', type: 'string', minLength: 1 },
        own: { $ref: '#/properties/id' },
        either: {
          type: 'object',
          properties: { a: text, b: text },
          anyOf: [{ required: ['a'] }, { required: ['b'] }],
        },
      },
      definitions: { id: { type: 'string', format: 'uuid' } },
    }
    const both = { type: 'object', properties: { a: text, b: text } }
    expect(fitted('moonshot', parameters)).toMatchObject({
      tool: {
        parameters: {
          properties: {
            id: { type: 'string', minLength: 1, format: 'uuid' },
            own: { $ref: '#/$defs/schema0' },
            either: {
              anyOf: [
                { ...both, required: ['a'] },
                { ...both, required: ['b'] },
              ],
            },
          },
          $defs: { id: { type: 'string', format: 'uuid' } },
        },
      },
      dropped: [],
    })
  })

  it('says of a free object at xAI that it is free, and cuts references back', () => {
    const parameters = { type: 'object', properties: { any: { type: 'object' }, self: { $ref: '#' } } }
    expect(fitted('xai', parameters)).toMatchObject({
      tool: { parameters: { properties: { any: { additionalProperties: true }, self: {} } } },
      dropped: ['tools[0].parameters (ref)'],
    })
  })

  it('gives OpenAI the items and properties that it demands', () => {
    const parameters = {
      properties: { list: { type: 'array' }, any: { type: 'object' } },
      required: ['name'],
    }
    expect(fitted('openai', parameters)).toMatchObject({
      tool: {
        parameters: {
          type: 'object',
          properties: { list: { items: {} }, any: { properties: {} }, name: {} },
        },
      },
      dropped: [],
    })
  })

  it('changes nothing for servers that compile JSON Schema themselves', () => {
    const original = request({ anyOf: [{ type: 'object' }] }, true)
    expect(fitRequest(original, schemasOf('vllm'), new Set())).toBe(original)
  })
})
