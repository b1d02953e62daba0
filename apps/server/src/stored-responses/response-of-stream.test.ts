import { describe, expect, it } from 'bun:test'
import { responseOfStream } from './response-of-stream.ts'

const event = (type: string, response: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 4, response })}\n\n`

describe('the answer in the last events of a stream', () => {
  it('is found however its lines end', () => {
    const response = { id: 'resp_1', output: [{ type: 'message', text: 'Grüezi 🌤' }] }
    const text = event('response.completed', response)
    expect(responseOfStream(text)).toEqual(response)
    expect(responseOfStream(text.replaceAll('\n', '\r\n'))).toEqual(response)
    expect(responseOfStream(`: comment\n\n${text}data: [DONE]\n\n`)).toEqual(response)
    expect(responseOfStream(text.trimEnd())).toEqual(response)
  })

  it('is none where no event holds one', () => {
    for (const text of ['', 'data: [DONE]\n\n', 'data: {"response":{"id":"resp_1"}}\n\n', 'data: {\n\n'])
      expect(responseOfStream(text)).toBeUndefined()
  })
})
