import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../../codecs.ts'
import { scanTopLevel } from '../../json/text.ts'
import type { JsonObject } from '../../json/value.ts'
import { openAiResponses } from '../codec.ts'

const question = { type: 'message', role: 'user', content: 'Relay the task.' }
const task = (...content: JsonObject[]) => ({
  type: 'agent_message',
  id: 'amsg_1',
  author: '/root',
  recipient: '/root/child',
  content,
})
const plain = { type: 'input_text', text: 'Payload:' }
const unencrypted = { type: 'encrypted_content', encrypted_content: 'Count the files.' }
const ciphertext = { type: 'encrypted_content', encrypted_content: `gAAAAABo${'x'.repeat(92)}==` }

function editedInput(input: readonly JsonObject[], plainItems: boolean): unknown {
  const body = { model: 'm', input }
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 64)
  if (!scan.ok) throw new Error('no object')
  const facts = openAiResponses.inspectRequest(body, {})
  const target = { model: 'm', streamOptions: false, plainItems }
  const edit = openAiResponses.nativeEdits({ text, scan, body }, facts, target).get('input')
  return edit === undefined ? undefined : JSON.parse(edit)
}

describe('a message between agents of Codex', () => {
  const body = { model: 'm', input: [question, task(plain, unencrypted)] }

  it.each(Object.keys(chatCodecs) as (keyof typeof chatCodecs)[])(
    'reaches a model of %s in its order',
    (target) => {
      const request = openAiResponses.decodeRequest(body, {})
      const encoded = chatCodecs[target].encodeRequest(request, { model: 'm', streamOptions: true })
      expect(JSON.stringify(encoded.body)).toMatch(
        /Relay the task.*Message from \/root to \/root\/child:.*Payload:.*Count the files/,
      )
      expect(encoded.dropped).toEqual([])
      expect(openAiResponses.promptOf(body).messages[1]?.texts).toEqual(['Payload:', 'Count the files.'])
    },
  )

  it('is of the user for a host of Responses, and stays for OpenAI', () => {
    expect(editedInput(body.input, false)).toBeUndefined()
    expect(editedInput([question], true)).toBeUndefined()
    const from = { type: 'input_text', text: 'Message from /root to /root/child:' }
    const content = [from, plain, { type: 'input_text', text: 'Count the files.' }]
    expect(editedInput(body.input, true)).toEqual([question, { type: 'message', role: 'user', content }])
  })

  it('that OpenAI encrypted is refused by its name where it cannot be read, and never goes as words', () => {
    const input = [question, task(ciphertext)]
    expect(() => openAiResponses.decodeRequest({ model: 'm', input }, {})).toThrow('input[1]')
    expect(editedInput(input, true)).toBeUndefined()
  })

  it('may have no content, or a text alone', () => {
    for (const content of [null, [], 'Go on.', undefined])
      expect(() =>
        openAiResponses.decodeRequest({ model: 'm', input: [{ ...task(), content }] }, {}),
      ).not.toThrow()
  })
})
