import type { Tollgate } from '../server.ts'

/** Calls of one dialect and the reading of their responses; without an SDK, so that every byte is seen. */
export interface DialectCall {
  readonly name: DialectName
  path(model: string, stream: boolean): string
  /** Returns a body without a limit on the output, where the format can do without. */
  body(model: string, stream: boolean): object
  /** The response's text, or that of a stream as far as it came. */
  textIn(reply: string): string
  /** The error that a response is, or that ends a stream. */
  errorIn(reply: string): DialectError | undefined
  /** The end mark of a complete stream. */
  readonly endMark: RegExp
  /** The word for an error of each status. */
  readonly kinds: Readonly<Record<400 | 401 | 403 | 404, string>>
  /** Comment or blank line against timeouts of a silent stream. */
  readonly ping: string
  /** The field that holds the conversation. */
  readonly conversation: string
}

export interface DialectError {
  readonly kind: string
  readonly message: string
}

export type DialectName = 'openai' | 'responses' | 'anthropic' | 'gemini'

const question = 'Count to three.'

const openai: DialectCall = {
  name: 'openai',
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({ model, stream, messages: [{ role: 'user', content: question }] }),
  textIn: (reply) => textsIn(reply, /"content":("(?:[^"\\]|\\.)*")/g),
  errorIn(reply) {
    const error = lastErrorIn(reply) as { type: string; message: string } | undefined
    return error && { kind: error.type, message: error.message }
  },
  endMark: /data: \[DONE\]\n\n$/,
  kinds: {
    400: 'invalid_request_error',
    401: 'invalid_request_error',
    403: 'insufficient_quota',
    404: 'invalid_request_error',
  },
  ping: ': PING\n\n',
  conversation: 'messages',
}

const responses: DialectCall = {
  ...openai,
  name: 'responses',
  path: () => '/v1/responses',
  body: (model, stream) => ({ model, stream, input: question }),
  textIn: (reply) =>
    textsIn(reply, /^(?=data: ).*"type":"response.output_text.delta".*"delta":("(?:[^"\\]|\\.)*")/gm) ||
    textsIn(reply, /"type":"output_text","text":("(?:[^"\\]|\\.)*")/g),
  // Two events end a stream that failed: the first of them says what kind it is.
  errorIn(reply) {
    const [, event] = /^data: (\{"type":"error".*)$/m.exec(reply) ?? []
    const error = lastErrorIn(event ?? reply) as { type: string; message: string } | null | undefined
    return error ? { kind: error.type, message: error.message } : undefined
  },
  endMark: /event: response.completed\ndata: .*\n\n$/,
  conversation: 'input',
}

const anthropic: DialectCall = {
  name: 'anthropic',
  path: () => '/v1/messages',
  body: (model, stream) => ({
    model,
    stream,
    max_tokens: 1024,
    messages: [{ role: 'user', content: question }],
  }),
  textIn: (reply) => textsIn(reply, /"type":"text(?:_delta)?","text":("(?:[^"\\]|\\.)*")/g),
  errorIn(reply) {
    const error = lastErrorIn(reply) as { type: string; message: string } | undefined
    return error && { kind: error.type, message: error.message }
  },
  endMark: /event: message_stop\ndata: .*\n\n$/,
  kinds: {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
  },
  ping: ': PING\n\n',
  conversation: 'messages',
}

const gemini: DialectCall = {
  name: 'gemini',
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: () => ({ contents: [{ role: 'user', parts: [{ text: question }] }] }),
  textIn: (reply) => textsIn(reply, /"text":("(?:[^"\\]|\\.)*")/g),
  errorIn(reply) {
    const error = lastErrorIn(reply) as { status: string; message: string } | undefined
    return error && { kind: error.status, message: error.message }
  },
  endMark: /"finishReason":"STOP".*\s*$/,
  kinds: { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND' },
  ping: ': PING\n\n',
  conversation: 'contents',
}

/** The same, with its stream as one JSON list. */
const geminiList: DialectCall = {
  ...gemini,
  path: (model, stream) => gemini.path(model, stream).replace('?alt=sse', ''),
  errorIn(reply) {
    const parsed = JSON.parse(reply)
    const last = Array.isArray(parsed) ? parsed.at(-1) : parsed
    return last.error && { kind: last.error.status, message: last.error.message }
  },
  endMark: /"finishReason":"STOP".*\]$/s,
  ping: '\n',
}

export const dialectCalls = [openai, responses, anthropic, gemini] as const
export const dialectForms = [
  ['OpenAI', openai],
  ['Anthropic', anthropic],
  ['Gemini', gemini],
  ['Gemini as a list', geminiList],
  ['Responses', responses],
] as const

export interface Sending {
  readonly stream?: boolean
  readonly signal?: AbortSignal
  readonly body?: object
}

/** Asks with the key as a bearer token, which every dialect takes. */
export function send(
  { url }: Pick<Tollgate, 'url'>,
  dialect: DialectCall,
  model: string,
  key: string,
  { stream = false, signal, body }: Sending = {},
): Promise<Response> {
  return fetch(url + dialect.path(model, stream), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? dialect.body(model, stream)),
    ...(signal !== undefined && { signal }),
  })
}

function textsIn(reply: string, pattern: RegExp): string {
  return [...reply.matchAll(pattern)].map(([, text = '""']) => JSON.parse(text)).join('')
}

function lastErrorIn(reply: string): unknown {
  const last =
    reply
      .trim()
      .split(/\r?\n\r?\n/)
      .at(-1) ?? ''
  const json = last.slice(Math.max(0, last.indexOf('{')))
  try {
    return JSON.parse(json).error
  } catch {
    return undefined
  }
}
