import { application } from './dify.ts'
import { openAiProtocol } from './openai.ts'
import { type Protocol, sseFrame, utf8 } from './protocol.ts'

/** Its workflow responds as OpenAI does, without ids and names, and with dummy counts. https://doc.fastgpt.io */
export const fastgptProtocol: Protocol = {
  ...openAiProtocol,
  fault({ path, headers, json }) {
    if (path !== '/v1/chat/completions') return { status: 404, message: `no such path: ${path}` }
    if (!/^Bearer fastgpt-\w+-\w+$/.test(headers.authorization ?? ''))
      return { status: 403, message: 'key error' }
    return Array.isArray(json.messages) ? undefined : { status: 500, message: 'messages is not array' }
  },
  frames: ({ reasoning = [], text = [] }) => [
    chunk({ role: 'assistant', content: '' }),
    ...reasoning.map((reasoning_content) => chunk({ reasoning_content }, true)),
    ...text.map((content) => chunk({ content }, true)),
    sseFrame({ ...unnamed, choices: [{ delta: {}, index: 0, finish_reason: 'stop' }], usage: dummy }),
    sseFrame('[DONE]'),
  ],
  buffered: ({ reasoning = [], text = [] }) => ({
    id: '',
    model: '',
    usage: dummy,
    choices: [
      {
        message: { role: 'assistant', reasoning_content: reasoning.join(''), content: text.join('') },
        finish_reason: 'stop',
        index: 0,
      },
    ],
  }),
  // Its failures come with status 200 and a code of their own.
  refusal: (status, message) => ({
    status: 200,
    headers: {},
    body: { code: status === 403 ? 403 : 500, statusText: 'error', message, data: null },
  }),
  failure: (message) => utf8(`event: error\ndata: ${JSON.stringify({ code: 500, message })}\n\n`),
  modelOf: () => application,
}

const unnamed = { id: '', object: '', created: 0, model: '' }
const dummy = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 }

function chunk(delta: object, delivers = false) {
  return sseFrame({ ...unnamed, choices: [{ delta, index: 0, finish_reason: null }] }, { delivers })
}
