import { expect, it } from 'bun:test'
import { RequestFault } from '../canonical/codec.ts'
import { withInstructions } from '../canonical/instructions.ts'
import type { PublicFormat } from '../canonical/request.ts'
import { chatCodecs } from '../codecs.ts'
import type { JsonObject } from '../json/value.ts'
import { callerFieldName, withCallerFieldName } from './caller-field-names.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
const text = { type: 'text', text: 'hi' }
const upload = { type: 'document', source: { type: 'file', file_id: 'file_1' } }

/** Conversations that have other places as their callers wrote them than as they are encoded. */
const bodies: Readonly<Record<PublicFormat, { readonly body: JsonObject; readonly position: string }>> = {
  'openai-chat': {
    body: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'user', content: [{ type: 'text', text: '' }, text, sound] },
      ],
    },
    position: 'messages[4].content[2]',
  },
  'openai-responses': {
    body: {
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'hi' },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call', call_id: 'b', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: '1' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: '2' }, sound] },
      ],
    },
    position: 'input[4].output[1]',
  },
  'anthropic-messages': {
    body: {
      max_tokens: 9,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text, upload] }, text] },
      ],
    },
    position: 'messages[2].content[0].content[1]',
  },
  gemini: {
    body: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [] },
        { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }] },
      ],
    },
    position: 'contents[1].parts[1]',
  },
}

const target = { model: 'claude-sonnet-4-5', streamOptions: true }
const fn = (name: string) => ({ type: 'function', function: { name } })
const formats = Object.keys(bodies) as PublicFormat[]
const pairs = formats.flatMap((from) => formats.filter((to) => to !== from).map((to) => [from, to] as const))
/** Pairs that take sounds, and Anthropic's caller has none to send. */
const carried = new Set(['openai-chat→openai-responses', 'openai-chat→gemini', 'gemini→openai-chat'])
carried.add('openai-responses→openai-chat').add('openai-responses→gemini').add('gemini→openai-responses')

function refusal(from: PublicFormat, to: PublicFormat, body: JsonObject): unknown {
  const decoded = chatCodecs[from].decodeRequest({ model: 'm', ...body }, { model: 'm', stream: false })
  const request = withInstructions(decoded, { text: "The operator's.", always: true })
  try {
    chatCodecs[to].encodeRequest(request, target)
    return undefined
  } catch (error) {
    return error instanceof RequestFault ? withCallerFieldName(error, from, request) : error
  }
}

it.each(pairs.filter(([from, to]) => !carried.has(`${from}→${to}`)))(
  'names to a caller of %s, over %s, the path in its own body of what cannot be carried',
  (from, to) => {
    const { body, position } = bodies[from]
    expect(refusal(from, to, body)).toMatchObject({
      param: position,
      message: expect.stringMatching(new RegExp(`^${RegExp.escape(position)} `)),
    })
  },
)

it.each([
  [
    'openai-chat',
    { messages: [{ role: 'user', content: 'hi' }], tools: [fn('a'), { type: 'web_search' }] },
    'tools[1]',
  ],
  [
    'openai-responses',
    {
      input: 'hi',
      tools: [
        { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'a' }] },
        { type: 'web_search' },
      ],
    },
    'tools[1]',
  ],
  [
    'gemini',
    {
      contents: [{ parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'b' }] }, { urlContext: {} }],
    },
    'tools[1]',
  ],
] as const)('names to a caller of %s the path of a tool that is left out', (from, body, position) => {
  const { decodeRequest } = chatCodecs[from]
  const request = decodeRequest({ model: 'm', ...body }, { model: 'm', stream: false })
  const { dropped } = chatCodecs['anthropic-messages'].encodeRequest(request, target)
  expect(dropped.map((name) => callerFieldName(name, from, request))).toContainEqual(
    expect.stringContaining(position),
  )
})
