import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type ReceivedPrompt,
  type Scripted,
  sseFrame,
} from './protocol.ts'

/** The callers' name for one application: requests to it name no model. */
export const application = 'the application'

/** A request to an application holds no tools, schemas or wishes of the caller. */
export const emptyPrompt: ReceivedPrompt = {
  tools: [],
  toolTurns: [],
  images: [],
  schema: undefined,
  wantsReasoning: false,
}

/** A chatflow, which thinks aloud inside its text. https://docs.dify.ai/api-reference/chat/send-chat-message */
export function difyProtocol(): Protocol {
  /** Uploaded files as base64, by id. */
  const uploaded = new Map<string, string>()
  return {
    streamType: 'text/event-stream',
    wantsStream: ({ json }) => json.response_mode === 'streaming',
    fault({ path, headers, json }) {
      if (path !== chatPath && path !== uploadPath) return { status: 404, message: `no such path: ${path}` }
      if (!headers.authorization?.startsWith('Bearer app-'))
        return { status: 401, message: 'Access token is invalid' }
      return path === chatPath ? faultIn(json) : undefined
    },
    frames({ reasoning = [], text = [], counts = defaultCounts, countsAt = 'end' }) {
      const metadata = countsAt === 'end' ? { usage: usageOf(counts) } : {}
      const thinking = reasoning.length === 0 ? [] : ['<think>', ...reasoning, '</think>']
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
    buffered(answer, call) {
      if (call.path !== uploadPath) return completeReplyOf(answer)
      const id = `file-${uploaded.size + 1}`
      uploaded.set(id, fileIn(call).toString('base64'))
      return { id, name: 'image.png', mime_type: 'image/png' }
    },
    refusal: (status, message) => ({
      headers: {},
      body: { code: status === 401 ? 'unauthorized' : 'invalid_param', message, status },
    }),
    failure: (message) =>
      sseFrame({ event: 'error', ...ids, status: 400, code: 'completion_request_error', message }).bytes,
    modelOf: () => application,
    isAside: ({ path }) => path === uploadPath,
    reported: ({ json }) => ({
      ...emptyPrompt,
      images: filesIn(json).map((file) => pictureOf(file, uploaded)),
    }),
  }
}

const chatPath = '/v1/chat-messages'
const uploadPath = '/v1/files/upload'

interface DifyFile {
  readonly upload_file_id?: string
  readonly url?: string
}

function filesIn({ files }: ReceivedCall['json']): readonly DifyFile[] {
  return (files ?? []) as readonly DifyFile[]
}

function pictureOf(
  { upload_file_id: id = '', url = '' }: DifyFile,
  uploaded: ReadonlyMap<string, string>,
): string {
  return uploaded.get(id) ?? url
}

/** The file of an upload, which is a form. */
function fileIn({ headers, body }: ReceivedCall): Buffer {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const start = body.indexOf('\r\n\r\n', body.indexOf('name="file"')) + 4
  return body.subarray(start, body.indexOf(`\r\n--${boundary}`, start))
}

function completeReplyOf({ reasoning = [], text = [], counts = defaultCounts, countsAt }: Scripted): object {
  return {
    event: 'message',
    ...ids,
    mode: 'advanced-chat',
    answer: `${reasoning.length === 0 ? '' : `<think>${reasoning.join('')}</think>`}${text.join('')}`,
    metadata: countsAt === 'nowhere' ? {} : { usage: usageOf(counts) },
    created_at: 1_760_000_070,
  }
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
