import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { RequestFault } from '../../canonical/codec.ts'
import { scanTopLevel } from '../../json/text.ts'
import type { JsonObject } from '../../json/value.ts'
import { gemini } from '../codec.ts'

const path = { model: 'gemini-3.8-flash', stream: true }
const hi = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }

function faultOf(run: () => unknown): RequestFault {
  try {
    run()
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error('nothing was at fault')
}

describe('inspectRequest', () => {
  it('takes model and stream from the path, and the limit over all candidates', () => {
    const generationConfig = {
      maxOutputTokens: 100,
      candidateCount: 2,
      thinkingConfig: { thinkingLevel: 'HIGH' },
    }
    expect(gemini.inspectRequest({ ...hi, generationConfig }, path)).toEqual({
      model: 'gemini-3.8-flash',
      stream: true,
      includeUsage: true,
      maxOutputTokens: 200,
      candidates: 2,
      reasoningEffort: 'high',
    })
  })

  it('reads snake_case, numbers as texts, and a single content', () => {
    const body = {
      contents: { parts: { text: 'hi' } },
      generation_config: { max_output_tokens: '50', candidate_count: 1 },
    }
    expect(gemini.inspectRequest(body, { model: 'm' })).toMatchObject({ maxOutputTokens: 50, stream: false })
  })

  it('knows no limit where there is none, or where it is 0', () => {
    expect(gemini.inspectRequest(hi, path).maxOutputTokens).toBeUndefined()
    const zero = { ...hi, generationConfig: { maxOutputTokens: 0 } }
    expect(gemini.inspectRequest(zero, path).maxOutputTokens).toBeUndefined()
  })

  it.each<[string, JsonObject, string, string]>([
    ['no contents', {}, 'contents', 'missing_required_parameter'],
    ['contents of null', { contents: null }, 'contents', 'missing_required_parameter'],
    ['an empty list', { contents: [] }, 'contents', 'invalid_value'],
    ['a text', { contents: 'hi' }, 'contents', 'invalid_type'],
    ['a text inside', { contents: [hi.contents[0], 'hi'] }, 'contents[1]', 'invalid_type'],
    [
      'two spellings',
      { ...hi, generationConfig: {}, generation_config: {} },
      'generationConfig',
      'duplicate_key',
    ],
    [
      'two spellings of a limit',
      { ...hi, generationConfig: { maxOutputTokens: 1, max_output_tokens: 2 } },
      'generationConfig.maxOutputTokens',
      'duplicate_key',
    ],
    ['a config of text', { ...hi, generationConfig: 'x' }, 'generationConfig', 'invalid_type'],
    [
      'a negative limit',
      { ...hi, generationConfig: { maxOutputTokens: -1 } },
      'generationConfig.maxOutputTokens',
      'invalid_value',
    ],
    [
      'a huge limit',
      { ...hi, generationConfig: { maxOutputTokens: 1e12 } },
      'generationConfig.maxOutputTokens',
      'invalid_value',
    ],
    [
      'half a candidate',
      { ...hi, generationConfig: { candidateCount: 1.5 } },
      'generationConfig.candidateCount',
      'invalid_type',
    ],
  ])('refuses %s', (_, body, param, code) => {
    expect(faultOf(() => gemini.inspectRequest(body, path))).toMatchObject({ param, code })
  })

  it('refuses a request without a model, or with an endless one', () => {
    expect(faultOf(() => gemini.inspectRequest(hi, {}))).toMatchObject({ param: 'model' })
    expect(faultOf(() => gemini.inspectRequest(hi, { model: 'x'.repeat(300) }))).toMatchObject({
      param: 'model',
    })
    expect(gemini.inspectRequest({ ...hi, model: 'models/m' }, {}).model).toBe('m')
  })

  it('refuses with a fault, or not at all, whatever the body holds', () => {
    const names = fc.constantFrom('contents', 'generationConfig', 'generation_config', 'model', 'tools')
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (body) => {
        try {
          gemini.inspectRequest(body, path)
        } catch (error) {
          expect(error).toBeInstanceOf(RequestFault)
        }
      }),
    )
  })
})

describe('nativeEdits', () => {
  const edit = (body: JsonObject, model: string) => {
    const text = JSON.stringify(body)
    const scan = scanTopLevel(text, 64)
    if (!scan.ok) throw new Error('no object')
    const facts = gemini.inspectRequest(body, path)
    return [...gemini.nativeEdits({ text, scan, body }, facts, { model, streamOptions: true })]
  }

  it('changes nothing of a body that does not repeat the model', () => {
    expect(edit(hi, 'other')).toEqual([])
  })

  it('keeps a model that the body repeats in step with the path', () => {
    expect(edit({ ...hi, model: 'models/a' }, 'b')).toEqual([['model', '"models/b"']])
    expect(edit({ ...hi, model: 'a' }, 'b')).toEqual([['model', '"b"']])
    expect(edit({ ...hi, model: 'models/b' }, 'b')).toEqual([])
  })
})

describe('promptOf', () => {
  it('counts texts, calls, results, media and functions', () => {
    const prompt = gemini.promptOf({
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'hi' },
            { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
            { inline_data: { mime_type: 'audio/mp3', data: 'AAAA' } },
            { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/a.pdf' } },
          ],
        },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { b: 2 } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', description: 'does', parameters: { type: 'OBJECT' } }] }],
    })
    expect(prompt.messages.map(({ role, texts }) => [role, ...texts])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'hi'],
      ['model', 'f', '{"a":1}'],
      ['user', 'f', '{"b":2}'],
    ])
    expect(prompt.messages[1]).toMatchObject({
      images: [{ detail: '', url: 'data:image/png;base64,AAAA' }],
      audioParts: 1,
      fileParts: 1,
    })
    expect(prompt.tools).toEqual(['fdoes{"type":"OBJECT"}'])
  })

  it('never throws', () => {
    const names = fc.constantFrom('contents', 'systemInstruction', 'tools')
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (body) => {
        gemini.promptOf(body)
      }),
    )
  })
})
