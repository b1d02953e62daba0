import { emptyPrompt } from './dify.ts'
import { type Protocol, sseFrame } from './protocol.ts'

/** A knowledge base that is asked one question and counts nothing. */
export const aiProxyLibraryProtocol: Protocol = {
  streamType: 'text/event-stream',
  wantsStream: ({ json }) => json.stream === true,
  fault({ path, headers, json }) {
    if (path !== '/api/library/ask') return { status: 404, message: `no such path: ${path}` }
    if (!headers.authorization?.startsWith('Bearer ')) return { status: 401, message: 'key is wrong' }
    const isRequested = typeof json.query === 'string' && json.query !== '' && json.libraryId === '123456'
    return isRequested ? undefined : { status: 400, message: 'no question, or no library' }
  },
  frames: ({ text = [] }, { json: { model } }) => [
    ...text.map((content) => sseFrame({ content, finish: false, model, documents: [] }, { delivers: true })),
    sseFrame({ content: '', finish: true, model, documents: [] }),
  ],
  buffered: ({ text = [] }) => ({
    success: true,
    answer: text.join(''),
    documents: [],
    errCode: 0,
    message: '',
  }),
  refusal: (status, message) => ({
    status: 200,
    headers: {},
    body: { success: false, errCode: status, message },
  }),
  failure: (message) => sseFrame({ success: false, errCode: 500, message }).bytes,
  modelOf: ({ json }) => String(json.model),
  reported: () => emptyPrompt,
}
