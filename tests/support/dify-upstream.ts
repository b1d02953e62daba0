import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  sseFrame,
  type Told,
} from './upstream-protocol.ts'

/** What one application is named by its callers: it is told no model. */
export const application = 'the application'

/** A request to an application holds no tools, schemas or wishes of the caller. */
export const toldNothing: Told = {
  tools: [],
  toolTurns: [],
  images: [],
  schema: undefined,
  wantsThoughts: false,
}

/** A chatflow, which thinks aloud inside its text. https://docs.dify.ai/api-reference/chat/send-chat-message */
export const difyProtocol: Protocol = {
  streamType: 'text/event-stream',
  wantsStream: ({ json }) => json.response_mode === 'streaming',
  fault({ path, headers, json }) {
    if (path !== '/v1/chat-messages') return { status: 404, message: `no such path: ${path}` }
    if (!headers.authorization?.startsWith('Bearer app-'))
      return { status: 401, message: 'Access token is invalid' }
    return faultIn(json)
  },
  frames({ thoughts = [], text = [], counts = defaultCounts, countsAt = 'end' }) {
    const metadata = countsAt === 'end' ? { usage: usageOf(counts) } : {}
    const thinking = thoughts.length === 0 ? [] : ['<think>', ...thoughts, '</think>']
    return [
      sseFrame({ event: 'workflow_started', ...ids, workflow_run_id: 'w-1', data: { id: 'w-1' } }),
      sseFrame({ event: 'node_started', ...ids, data: { node_type: 'llm', title: 'LLM' } }),
      sseFrame('', { event: 'ping' }),
      ...[...thinking, ...text].map((answer) =>
        sseFrame({ event: 'message', ...ids, answer }, { delivers: true }),
      ),
      sseFrame({ event: 'workflow_finished', ...ids, data: { status: 'succeeded' } }),
      sseFrame({ event: 'message_end', ...ids, metadata }),
    ]
  },
  whole: ({ thoughts = [], text = [], counts = defaultCounts, countsAt }) => ({
    event: 'message',
    ...ids,
    mode: 'advanced-chat',
    answer: `${thoughts.length === 0 ? '' : `<think>${thoughts.join('')}</think>`}${text.join('')}`,
    metadata: countsAt === 'nowhere' ? {} : { usage: usageOf(counts) },
    created_at: 1_760_000_070,
  }),
  refusal: (status, message) => ({
    headers: {},
    body: { code: status === 401 ? 'unauthorized' : 'invalid_param', message, status },
  }),
  failure: (message) =>
    sseFrame({ event: 'error', ...ids, status: 400, code: 'completion_request_error', message }).bytes,
  modelOf: () => application,
  told: () => toldNothing,
}

const ids = { task_id: 't-1', message_id: 'm-1', conversation_id: 'c-1' }

function faultIn(json: ReceivedCall['json']) {
  const missing = ['inputs', 'query', 'user'].find((name) => json[name] === undefined)
  if (missing !== undefined) return { status: 400, message: `${missing} is required in input form` }
  return json.query === '' ? { status: 400, message: 'query is empty' } : undefined
}

/** It has no kinds of tokens but these. */
function usageOf({ input, output }: Counts): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    currency: 'USD',
    latency: 0.4,
  }
}
