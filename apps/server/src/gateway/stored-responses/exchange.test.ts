import { describe, expect, it } from 'bun:test'
import {
  conversationItems,
  itemIn,
  itemsOf,
  listedInput,
  outputIdsOf,
  responseOfInputItem,
  responseOfStream,
  type StoredExchange,
} from './exchange.ts'

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hm.' }],
}
const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' }
const sealedReasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }
const storedReasoning = { id: 'rs_2', type: 'reasoning', summary: [] }
const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' }

const exchange: StoredExchange = {
  input: itemsOf('Hi'),
  response: { id: 'resp_1', output: [sealedReasoning, storedReasoning, search, call, message] },
}

describe('what an exchange adds to a conversation', () => {
  it('has no id that an upstream would look up, and no reasoning that consists of an id alone', () => {
    const { id: _call, ...plainCall } = call
    const { id: _message, ...plainMessage } = message
    expect(conversationItems(exchange)).toEqual([
      { type: 'message', role: 'user', content: 'Hi' },
      sealedReasoning,
      search,
      plainCall,
      plainMessage,
    ])
  })

  it('holds no signal to compact it: that was for one call', () => {
    const said = { type: 'message', role: 'user', content: 'Hi' }
    const compacted = { ...exchange, input: [said, { type: 'compaction_trigger' }] }
    expect(conversationItems(compacted)[0]).toEqual(said)
    expect(conversationItems(compacted).some(({ type }) => type === 'compaction_trigger')).toBe(false)
  })
})

describe('items of an input', () => {
  it('are listed with ids that lead back to them', () => {
    const [item] = listedInput(exchange)
    expect(item).toEqual({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Hi' }],
      id: 'msg_resp_1_i0',
    })
    expect(responseOfInputItem('msg_resp_1_i0')).toBe('resp_1')
    expect(responseOfInputItem('msg_68af4030')).toBeUndefined()
    expect(itemIn(exchange, 'msg_resp_1_i0')).toMatchObject({ role: 'user' })
  })

  it('retain ids that they came with', () => {
    const [item] = listedInput({ ...exchange, input: [{ ...call, id: 'fc_own' }] })
    expect(item).toMatchObject({ id: 'fc_own', type: 'function_call' })
  })

  it('are the objects of the input; other values are left out', () => {
    expect(itemsOf([null, 7, { type: 'message' }])).toEqual([{ type: 'message' }])
    expect(itemsOf(undefined)).toEqual([])
  })
})

describe('items of an output', () => {
  it('have ids no longer than a vendor’s', () => {
    expect(outputIdsOf(exchange)).toEqual(['rs_1', 'rs_2', 'ws_1', 'fc_1', 'msg_1'])
    const long = { id: 'x'.repeat(129), type: 'message' }
    expect(outputIdsOf({ ...exchange, response: { output: [long, { type: 'message' }] } })).toEqual([])
    expect(itemIn(exchange, 'rs_2')).toBeUndefined()
  })
})

const event = (type: string, response: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 4, response })}\n\n`

describe('the response in the last events of a stream', () => {
  it('is found however its lines end', () => {
    const response = { id: 'resp_1', output: [{ type: 'message', text: 'Grüezi 🌤' }] }
    const text = event('response.completed', response)
    expect(responseOfStream(text)).toEqual(response)
    expect(responseOfStream(text.replaceAll('\n', '\r\n'))).toEqual(response)
    expect(responseOfStream(`: comment\n\n${text}data: [DONE]\n\n`)).toEqual(response)
    expect(responseOfStream(text.trimEnd())).toEqual(response)
  })

  it('is undefined where no event contains one', () => {
    for (const text of ['', 'data: [DONE]\n\n', 'data: {"response":{"id":"resp_1"}}\n\n', 'data: {\n\n'])
      expect(responseOfStream(text)).toBeUndefined()
  })
})
