import { expect, it } from 'bun:test'
import { usageOf, WireResponse } from '@tollgate/formats'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { ollama } from './index.ts'

const target: Target = {
  baseUrl: rowOf('ollama').baseUrl,
  key: '',
  upstreamModel: 'm',
  openaiOrganization: '',
  other: '',
}
const embed = ollama.operation('embeddings', target, 'openai-embeddings')
const wire = (body: unknown) =>
  new WireResponse(new Uint8Array(Buffer.from(JSON.stringify(body))), 'application/json')
const call = { body: { model: 'm', input: ['a', 'b'] }, model: 'm', responseId: 'x', createdAt: 1 }

it('asks Ollama for vectors and models beside its OpenAI surface', () => {
  const urlAt = (baseUrl: string) =>
    embed?.endpoint({ ...target, baseUrl }, { stream: false, query: '', headers: {} }).url
  expect(urlAt(target.baseUrl)).toBe('http://localhost:11434/api/embed')
  expect(urlAt('http://h:1/v1')).toBe('http://h:1/api/embed')
  expect(ollama.models?.endpoint(target)?.url).toBe('http://localhost:11434/api/tags')
  expect(ollama.models?.decode({ models: [{ name: 'qwen3:8b' }] })).toEqual(['qwen3:8b'])
})

it('asks for all texts at once, and answers with a vector for each', () => {
  const body = { model: 'm', input: ['a', 'b'], dimensions: 2, user: 'u', truncate: true }
  expect(embed?.plain?.encodeRequest(body, { model: 'up', streamOptions: false })).toEqual({
    body: {
      model: 'up',
      input: ['a', 'b'],
      dimensions: 2,
      truncate: true,
      options: undefined,
      keep_alive: undefined,
    },
    dropped: ['user'],
  })
  expect(() => embed?.plain?.encodeRequest({ input: [1, 2] }, { model: 'up', streamOptions: false })).toThrow(
    'texts only',
  )
  const response = { model: 'up', embeddings: [[0.5], [0.25]], prompt_eval_count: 4 }
  const reading = embed?.plain?.decodeResponse(wire(response), call)
  expect(reading?.usage).toEqual(usageOf({ inputTokens: 4 }))
  expect(JSON.parse(String(reading?.encode(usageOf({ inputTokens: 4 }))))).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [0.5] },
      { object: 'embedding', index: 1, embedding: [0.25] },
    ],
    model: 'm',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  })
  for (const other of [{ embeddings: [[0.5]] }, { error: 'no' }, { embeddings: ['x', 'y'] }])
    expect(embed?.plain?.decodeResponse(wire(other), call)).toBeUndefined()
})
