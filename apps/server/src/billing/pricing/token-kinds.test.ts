import { expect, it } from 'bun:test'
import type { Prompt, PromptMessage } from '@tollgate/formats'
import { expectedKinds } from './token-kinds.ts'

function kindsOf(body: Readonly<Record<string, unknown>>, message: Partial<PromptMessage> = {}) {
  const empty = { role: 'user', name: '', texts: [], images: [], audioParts: 0, fileParts: 0 }
  const prompt: Prompt = { messages: [{ ...empty, ...message }], tools: [], texts: [], tokens: 0 }
  return expectedKinds({ text: JSON.stringify(body), body }, prompt)
}

it('expects nothing of a call that is text', () => {
  expect(kindsOf({ messages: [{ role: 'user', content: 'say "cache_control", "audio"' }] })).toEqual([])
  expect(kindsOf({ modalities: ['text'] })).toEqual([])
  expect(kindsOf({ generationConfig: { responseModalities: 'AUDIO' } })).toEqual([])
})

it('finds marks of caches, and how long they last', () => {
  const marked = (mark: object) => kindsOf({ system: [{ type: 'text', text: 'a', ...mark }] })
  expect(marked({ cache_control: { type: 'ephemeral' } })).toEqual(['cacheWrite'])
  expect(marked({ cachePoint: { type: 'default' } })).toEqual(['cacheWrite'])
  expect(marked({ cache_control: { type: 'ephemeral', ttl: '1h' } })).toEqual(['cacheWrite', 'cacheWrite1h'])
})

it('finds audio, images and files in the prompt', () => {
  expect(kindsOf({}, { audioParts: 1 })).toEqual(['audioInput'])
  expect(kindsOf({}, { images: [{ detail: '', url: 'x' }] })).toEqual(['imageInput'])
  expect(kindsOf({}, { fileParts: 1 })).toEqual(['audioInput', 'imageInput'])
})

it.each([
  { modalities: ['text', 'audio'] },
  { generationConfig: { responseModalities: ['AUDIO'] } },
  { generation_config: { response_modalities: ['AUDIO'] } },
])('finds audio asked for by %j', (body) => {
  expect(kindsOf(body)).toEqual(['audioOutput'])
})
