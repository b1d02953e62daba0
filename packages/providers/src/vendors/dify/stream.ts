import {
  type ChatPart,
  type CodeKinds,
  decodeErrorBody,
  eventObject,
  expectMembers,
  type JsonObject,
  numberOf,
  objectOf,
  readUsage,
  type StreamDecoder,
  textOf,
} from '@tollgate/formats'
import {
  endTagged,
  newReasoningTagState,
  type ReasoningTagState,
  readTagged,
  type TaggedText,
} from '../../chat/reasoning-tags.ts'

/** Codes of Dify's refusals. https://docs.dify.ai/api-reference/chat/send-chat-message */
export const errorKinds: CodeKinds = {
  unauthorized: 'unauthorized',
  // The application is gone, of another kind, or without a model: no caller can help it.
  app_unavailable: 'not_found',
  not_chat_app: 'not_found',
  provider_not_initialize: 'forbidden',
  model_currently_not_support: 'model_not_found',
  provider_quota_exceeded: 'quota',
  completion_request_error: 'upstream_bug',
  internal_server_error: 'upstream_bug',
  workflow_failed: 'upstream_bug',
  rate_limit_error: 'rate_limited',
  too_many_requests: 'rate_limited',
  invalid_param: 'bad_request',
}

/** State of reading a stream. */
export interface DifyState {
  hasStarted: boolean
  /** The response so far, tags included: identifies an agent's repeated text and a replacement. */
  answer: string
  /** Moderation has replaced the output. */
  isReplaced: boolean
  readonly tags: ReasoningTagState
  /** An agent's reasoning, by id: each arrives several times and grows. */
  readonly reasoning: Map<string, string>
}

function newDifyState(): DifyState {
  return {
    hasStarted: false,
    answer: '',
    isReplaced: false,
    tags: newReasoningTagState({ firstOnly: false }),
    reasoning: new Map(),
  }
}

type Handler = (state: DifyState, event: JsonObject) => readonly ChatPart[]

const handlers: Readonly<Record<string, Handler>> = {
  message: readMessage,
  agent_message: readMessage,
  agent_thought: readReasoning,
  message_replace: readReplacement,
  message_file: readFile,
  message_end: readEnd,
  workflow_finished: readWorkflowEnd,
  error: (_, event) => [failureOf(event)],
}

const progressHandlers: Readonly<Record<string, Handler>> = {
  workflow_started: () => [thought('Workflow\n')],
  node_started: (_, { data }) => [thought(`${nodeName(objectOf(data))}\n`)],
}

/**
 * Chat applications: a field of each event names its kind.
 * @param progress whether to report the steps of a workflow as reasoning
 */
export function difyStream(progress: boolean): StreamDecoder<DifyState> {
  const known = new Map(Object.entries(progress ? { ...handlers, ...progressHandlers } : handlers))
  return {
    start: newDifyState,
    step(state, { event, data }) {
      // A ping has no payload, or an empty one.
      if (event === 'ping') return []
      const payload = eventObject(data)
      expectMembers(payload, { answer: 'text' })
      const handle = known.get(textOf(payload.event))
      return handle === undefined ? [] : [...startOf(state, payload), ...handle(state, payload)]
    },
    finish: (state) => endTagged(state.tags).map(partOf),
  }
}

/** Starts the response with its id, which every event has; some events come before its text. */
function startOf(state: DifyState, event: JsonObject): readonly ChatPart[] {
  const id = textOf(event.message_id)
  if (state.hasStarted || id === '') return []
  state.hasStarted = true
  const { created_at: time } = event
  return [{ type: 'start', id, model: '', createdAt: numberOf(time) ?? 0 }]
}

function readMessage(state: DifyState, { answer }: JsonObject): readonly ChatPart[] {
  const text = textOf(answer)
  state.answer += text
  return readTagged(state.tags, text).map(partOf)
}

/** An agent's reasoning, its tool call with arguments, and the result; leaves out text that the response already holds. */
function readReasoning(state: DifyState, event: JsonObject): readonly ChatPart[] {
  const stated = textOf(event.thought).trim()
  const words = stated !== '' && !state.answer.trimEnd().endsWith(stated) ? `${stated}\n` : ''
  const tool = textOf(event.tool)
  const call = tool === '' ? '' : `${tool} ${textOf(event.tool_input)}\n`
  const observation = textOf(event.observation)
  const id = textOf(event.id)
  const before = state.reasoning.get(id) ?? ''
  const full = `${words}${call}${observation === '' ? '' : `${observation}\n`}`
  if (full === '' || !full.startsWith(before)) return []
  state.reasoning.set(id, full)
  const more = full.slice(before.length)
  return more === '' ? [] : [thought(more)]
}

/**
 * Reads a buffered response that comes anew, because its words were judged. Delivered text cannot be taken back, only followed.
 */
function readReplacement(state: DifyState, { answer }: JsonObject): readonly ChatPart[] {
  const text = textOf(answer)
  state.isReplaced = true
  const open = endTagged(state.tags).map(partOf)
  if (text.startsWith(state.answer))
    return [...open, ...readMessage(state, { answer: text.slice(state.answer.length) })]
  state.answer = text
  return [...open, { type: 'text-delta', candidate: 0, text: `\n\n${text}` }]
}

const fileKinds: ReadonlyMap<unknown, 'image' | 'audio' | 'video' | 'document'> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'document'],
  ['custom', 'document'],
])

/** A file of the application's: one of the caller's own is only shown again. */
function readFile(_: DifyState, { type, url, belongs_to: owner }: JsonObject): readonly ChatPart[] {
  const address = textOf(url)
  const kind = fileKinds.get(type)
  if (address === '' || kind === undefined || owner === 'user') return []
  const media = { type: 'media', kind, source: { type: 'url', url: address } } as const
  return [{ type: 'media', candidate: 0, media }]
}

function readEnd(state: DifyState, { metadata }: JsonObject): readonly ChatPart[] {
  const usage = readUsage(objectOf(metadata).usage)
  const reason = state.isReplaced ? 'content-filter' : 'stop'
  return [
    ...endTagged(state.tags).map(partOf),
    { type: 'stop', candidate: 0, stop: { reason } },
    ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
    { type: 'end' },
  ]
}

/** Reads the end of a workflow, which may fail without an error event. */
function readWorkflowEnd(_: DifyState, { data }: JsonObject): readonly ChatPart[] {
  const { status, error } = objectOf(data)
  if (status !== 'failed') return []
  return [failureOf({ code: 'workflow_failed', message: textOf(error) || 'the workflow failed' })]
}

function failureOf(event: JsonObject): ChatPart {
  const body = JSON.stringify(event)
  return { type: 'error', error: decodeErrorBody({ status: 200, headers: {}, body }, errorKinds) }
}

function nodeName({ title, node_type: type }: JsonObject): string {
  return [textOf(title), textOf(type)].filter((name) => name !== '').join(' · ')
}

function partOf({ isReasoning, text }: TaggedText): ChatPart {
  return isReasoning ? thought(text) : { type: 'text-delta', candidate: 0, text }
}

function thought(text: string): ChatPart {
  return { type: 'reasoning-delta', candidate: 0, text }
}
