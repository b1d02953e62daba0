import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { RequestFault } from '../../canonical/codec.ts'
import type { JsonObject } from '../../json/value.ts'
import { gemini } from '../codec.ts'

const path = { model: 'gemini-3.8-flash', stream: false }
const decode = (body: JsonObject) => gemini.decodeRequest(body, path)
const say = (...parts: readonly unknown[]) => ({ role: 'user', parts })
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts })
const call = (name: string, id?: string) => ({
  functionCall: { ...(id && { id }), name, args: { of: name } },
})
const result = (name: string, output: string, id?: string) => ({
  functionResponse: { ...(id && { id }), name, response: { output } },
})

function faultOf(body: JsonObject): RequestFault {
  try {
    decode(body)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error('nothing was at fault')
}

describe('decodeRequest', () => {
  it('reads a turn of Gemini CLI: calls with ids, a signature, JSON Schema parameters', () => {
    const parametersJsonSchema = { type: 'object', properties: { p: { type: 'string' } }, required: ['p'] }
    const request = decode({
      contents: [
        say({ text: 'read a.txt' }),
        model({
          thoughtSignature: 'sig',
          functionCall: { id: 'read-1', name: 'read', args: { p: 'a.txt' } },
        }),
        say({ functionResponse: { id: 'read-1', name: 'read', response: { output: 'hello' } } }),
      ],
      systemInstruction: { role: 'user', parts: [{ text: 'You are a CLI.' }] },
      tools: [{ functionDeclarations: [{ name: 'read', description: 'reads', parametersJsonSchema }] }],
      generationConfig: {
        temperature: 1,
        topP: 0.95,
        topK: 64,
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    })
    expect(request).toEqual({
      model: 'gemini-3.8-flash',
      stream: false,
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'You are a CLI.' }] },
        { role: 'user', parts: [{ type: 'text', text: 'read a.txt' }] },
        {
          role: 'assistant',
          parts: [
            {
              type: 'tool-call',
              id: 'read-1',
              name: 'read',
              arguments: '{"p":"a.txt"}',
              signature: { vendor: 'gemini', value: 'sig' },
            },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              type: 'tool-result',
              callId: 'read-1',
              name: 'read',
              content: [{ type: 'text', text: 'hello' }],
            },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'read', description: 'reads', parameters: parametersJsonSchema }],
      sampling: { temperature: 1, topP: 0.95, topK: 64, stop: [], candidates: 1 },
      reasoning: { effort: 'high', includeThoughts: true },
      options: {},
      vendor: {
        format: 'gemini',
        fields: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] },
      },
    })
  })

  it('gives calls without ids the same ids in every reading, and results theirs by name and order', () => {
    const contents = [
      say({ text: 'go' }),
      model(call('a'), call('b'), call('a')),
      say(result('b', 'B'), result('a', 'A1'), result('a', 'A2')),
      model(call('a')),
      say(result('a', 'A3')),
    ]
    const ids = decode({ contents }).messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'tool-call' ? [part.id] : part.type === 'tool-result' ? [part.callId] : [],
      ),
    )
    expect(ids).toEqual(['call_0', 'call_1', 'call_2', 'call_1', 'call_0', 'call_2', 'call_3', 'call_3'])
  })

  it('finds the text of a result beside the name of its function', () => {
    const response = { functionResponse: { name: 'f', response: { name: 'f', content: '21 °C' } } }
    const { messages } = decode({ contents: [say({ text: 'x' }), model(call('f')), say(response)] })
    expect(messages.at(-1)?.parts).toMatchObject([{ content: [{ type: 'text', text: '21 °C' }] }])
  })

  it('does not make an id that the conversation has already', () => {
    const { messages } = decode({
      contents: [
        say({ text: 'x' }),
        model(call('a'), call('b', 'call_0')),
        say(result('a', '1'), result('b', '2', 'call_0')),
      ],
    })
    expect(messages[1]?.parts).toMatchObject([{ id: 'call_1' }, { id: 'call_0' }])
    expect(messages[2]?.parts).toMatchObject([{ callId: 'call_1' }, { callId: 'call_0' }])
  })

  it('does not take a result for one of an earlier step', () => {
    const { messages } = decode({
      contents: [
        say({ text: 'x' }),
        model(call('a')),
        say({ text: 'never mind' }),
        model(call('a')),
        say(result('a', '2')),
      ],
    })
    expect(messages.at(-1)?.parts).toMatchObject([{ callId: 'call_1' }])
  })

  it('reads snake_case everywhere', () => {
    const request = decode({
      system_instruction: { parts: [{ text: 's' }] },
      contents: [
        say({ inline_data: { mime_type: 'image/png', data: 'AA==' } }),
        model({ function_call: { name: 'f', args: {} }, thought_signature: 's' }),
        say({ function_response: { name: 'f', response: { error: 'no' } } }),
      ],
      tools: [{ function_declarations: [{ name: 'f', parameters: { type: 'OBJECT', properties: {} } }] }],
      tool_config: { function_calling_config: { mode: 'any', allowed_function_names: ['f'] } },
      generation_config: {
        max_output_tokens: 5,
        stop_sequences: ['x'],
        response_mime_type: 'application/json',
        response_modalities: ['TEXT', 'IMAGE'],
        thinking_config: { thinking_budget: 0 },
      },
    })
    expect(request).toMatchObject({
      toolChoice: { type: 'tool', name: 'f' },
      maxOutputTokens: 5,
      sampling: { stop: ['x'] },
      outputFormat: { type: 'json' },
      reasoning: { effort: 'none' },
      options: { modalities: ['text', 'image'] },
    })
    expect(request.messages[1]?.parts[0]).toMatchObject({ type: 'media', kind: 'image' })
    expect(request.messages[2]?.parts[0]).toMatchObject({ signature: { vendor: 'gemini', value: 's' } })
    expect(request.messages[3]?.parts[0]).toMatchObject({ isError: true, content: [{ text: 'no' }] })
    expect(request.vendor).toBeUndefined()
  })

  it('turns its own schemas into JSON Schema', () => {
    const { tools, outputFormat } = decode({
      contents: [say({ text: 'x' })],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: {
                type: 'OBJECT',
                properties: {
                  a: { type: 'STRING', nullable: true },
                  b: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '2' },
                  type: { any_of: [{ type: 'STRING' }, { type: 'NUMBER' }] },
                },
                propertyOrdering: ['a'],
              },
            },
          ],
        },
      ],
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'BOOLEAN' } },
    })
    expect(tools).toEqual([
      {
        type: 'function',
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            a: { type: ['string', 'null'] },
            b: { type: 'array', items: { type: 'integer' }, minItems: 2 },
            type: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          },
        },
      },
    ])
    expect(outputFormat).toEqual({ type: 'json-schema', name: 'response', schema: { type: 'boolean' } })
  })

  it('carries media: bytes, public addresses, and files of Google alone', () => {
    const sources = decode({
      contents: [
        say(
          { inlineData: { mimeType: 'audio/wav', data: 'AA==' } },
          { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
          { fileData: { fileUri: 'https://www.youtube.com/watch?v=x' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/a.pdf' } },
          { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' } },
        ),
      ],
    }).messages[0]?.parts
    expect(sources).toEqual([
      { type: 'media', kind: 'audio', source: { type: 'base64', mediaType: 'audio/wav', data: 'AA==' } },
      {
        type: 'media',
        kind: 'image',
        source: { type: 'url', url: 'https://example.com/a.png', mediaType: 'image/png' },
      },
      { type: 'media', kind: 'video', source: { type: 'url', url: 'https://www.youtube.com/watch?v=x' } },
      {
        type: 'media',
        kind: 'document',
        source: { type: 'file', format: 'gemini', id: 'gs://bucket/a.pdf', mediaType: 'application/pdf' },
      },
      {
        type: 'media',
        kind: 'document',
        source: {
          type: 'file',
          format: 'gemini',
          id: 'https://generativelanguage.googleapis.com/v1beta/files/abc',
        },
      },
    ])
  })

  it("keeps Google's own tools, and reasoning with its signatures", () => {
    const { tools, messages } = decode({
      contents: [
        say({ text: 'x' }),
        model(
          { text: 'hm', thought: true, thoughtSignature: 's' },
          { executableCode: { language: 'PYTHON', code: '1+1' } },
        ),
      ],
      tools: [{ google_search: {} }, { codeExecution: {} }],
    })
    expect(tools).toEqual([
      { type: 'vendor', format: 'gemini', name: 'googleSearch', definition: { googleSearch: {} } },
      { type: 'vendor', format: 'gemini', name: 'codeExecution', definition: { codeExecution: {} } },
    ])
    expect(messages[1]?.parts).toEqual([
      { type: 'reasoning', text: 'hm', signature: { vendor: 'gemini', value: 's' } },
      { type: 'text', text: '\n```python\n1+1\n```\n' },
    ])
  })

  it('names by its path whatever has no canonical form', () => {
    const { vendor } = decode({
      contents: [{ ...say({ text: 'x', partMetadata: 1 }), odd: 2 }],
      tools: [{ functionDeclarations: [{ name: 'f', response: { type: 'STRING' } }] }],
      toolConfig: { retrievalConfig: { languageCode: 'de' } },
      generationConfig: { speechConfig: {}, thinkingConfig: { newWord: true } },
      labels: { a: 'b' },
    })
    expect(vendor).toEqual({
      format: 'gemini',
      fields: {
        'contents[0].odd': 2,
        'contents[0].parts[0].partMetadata': 1,
        'tools[0].functionDeclarations[0].response': { type: 'STRING' },
        'toolConfig.retrievalConfig': { languageCode: 'de' },
        'generationConfig.speechConfig': {},
        'generationConfig.thinkingConfig.newWord': true,
        labels: { a: 'b' },
      },
    })
  })

  it.each<[string, JsonObject, string, string]>([
    ['an unknown role', { contents: [{ role: 'system', parts: [] }] }, 'contents[0].role', 'invalid_value'],
    ['parts of text', { contents: [{ role: 'user', parts: 'x' }] }, 'contents[0].parts', 'invalid_type'],
    ['a part of text', { contents: [say('x')] }, 'contents[0].parts[0]', 'invalid_type'],
    ['a text that is none', { contents: [say({ text: 1 })] }, 'contents[0].parts[0].text', 'invalid_type'],
    [
      'bytes without a type',
      { contents: [say({ inlineData: { data: 'x' } })] },
      'contents[0].parts[0].inlineData.mimeType',
      'missing_required_parameter',
    ],
    [
      'a call without a name',
      { contents: [model({ functionCall: {} })] },
      'contents[0].parts[0].functionCall.name',
      'missing_required_parameter',
    ],
    [
      'arguments of text',
      { contents: [model({ functionCall: { name: 'f', args: '{}' } })] },
      'contents[0].parts[0].functionCall.args',
      'invalid_type',
    ],
    [
      'a result of no call',
      { contents: [say(result('f', 'x'))] },
      'contents[0].parts[0].functionResponse',
      'invalid_value',
    ],
    [
      'a call of the user',
      { contents: [say(call('f'))] },
      'contents[0].parts[0].functionCall',
      'invalid_value',
    ],
    [
      'a cut film',
      { contents: [say({ fileData: { fileUri: 'x' }, videoMetadata: { fps: 1 } })] },
      'contents[0].parts[0].videoMetadata',
      'unsupported_parameter',
    ],
    [
      'cached content',
      { contents: [say({ text: 'x' })], cachedContent: 'c' },
      'cachedContent',
      'unsupported_parameter',
    ],
    [
      'an enumeration as answer',
      { contents: [say({ text: 'x' })], generationConfig: { responseMimeType: 'text/x.enum' } },
      'generationConfig.responseMimeType',
      'unsupported_parameter',
    ],
    [
      'an unknown level',
      { contents: [say({ text: 'x' })], generationConfig: { thinkingConfig: { thinkingLevel: 'MUCH' } } },
      'generationConfig.thinkingConfig.thinkingLevel',
      'invalid_value',
    ],
    [
      'stops of numbers',
      { contents: [say({ text: 'x' })], generationConfig: { stopSequences: ['a', 1] } },
      'generationConfig.stopSequences[1]',
      'invalid_type',
    ],
    [
      'a function without a name',
      { contents: [say({ text: 'x' })], tools: [{ functionDeclarations: [{}] }] },
      'tools[0].functionDeclarations[0].name',
      'missing_required_parameter',
    ],
    [
      'an unknown mode',
      { contents: [say({ text: 'x' })], toolConfig: { functionCallingConfig: { mode: 'MAYBE' } } },
      'toolConfig.functionCallingConfig.mode',
      'invalid_value',
    ],
    [
      'an instruction that is no text',
      {
        contents: [say({ text: 'x' })],
        systemInstruction: { parts: [{ inlineData: { mimeType: 'a/b', data: '' } }] },
      },
      'systemInstruction.parts[0]',
      'unsupported_parameter',
    ],
  ])('refuses %s', (_, body, param, code) => {
    expect(faultOf(body)).toMatchObject({ param, code })
  })

  it('refuses with a fault that names a field, or not at all, when any field is anything', () => {
    const complete = {
      contents: [
        say({ text: 'x' }, { inlineData: { mimeType: 'a/b', data: 'x' } }, { fileData: { fileUri: 'x' } }),
        model({ text: 'x', thought: true }, call('f', 'id'), { executableCode: { code: 'x' } }),
        say({ functionResponse: { id: 'id', name: 'f', response: {}, parts: [] } }),
      ],
      systemInstruction: { parts: [{ text: 'x' }] },
      tools: [
        {
          functionDeclarations: [
            { name: 'f', description: 'x', parameters: { type: 'OBJECT', properties: {} } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        topP: 1,
        stopSequences: ['x'],
        responseSchema: {},
        thinkingConfig: { thinkingBudget: 1 },
      },
    }
    const paths = pathsOf(complete)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }), (at, value) => {
        try {
          decode(replaced(complete, at, value) as JsonObject) // The top level is an object whatever is replaced below.
        } catch (error) {
          if (!(error instanceof RequestFault)) throw error
          expect(error.param).toMatch(/^[a-zA-Z]/)
        }
      }),
      { numRuns: 600 },
    )
  })
})

type Path = readonly (string | number)[]

function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...at, Array.isArray(value) ? Number(key) : key]
    return [here, ...pathsOf(item, here)]
  })
}

function replaced(value: unknown, [step, ...others]: Path, by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaced(item, others, by) : item))
  const holder = value as JsonObject // The paths were made from this value.
  return { ...holder, [step]: replaced(holder[step], others, by) }
}
