import {
  type ChatPart,
  collectResponse,
  type DecodedResponse,
  decodeErrorBody,
  isObject,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
} from '@tollgate/formats'
import { eventsIn } from '../sse-text.ts'
import { errorKinds } from './error.ts'
import { type DifyState, difyStream } from './stream.ts'

/**
 * Reads a whole answer: an object, or the text of a stream, which is all that agents give.
 * @param progress the steps of a workflow are told among the thoughts
 */
export function decodeResponse(body: unknown, progress: boolean): DecodedResponse {
  if (typeof body === 'string') return decodeStreamed(body, progress)
  if (!isObject(body) || typeof body.answer !== 'string') return failed(failureOf(JSON.stringify(body) ?? ''))
  const { start, step } = difyStream(progress)
  const state = start()
  const parts = ['message', 'message_end'].flatMap((event) => [
    ...step(state, { event: '', data: JSON.stringify({ ...body, event }) }),
  ])
  return { ok: true, response: collectResponse(parts) }
}

function decodeStreamed(text: string, progress: boolean): DecodedResponse {
  const { start, step } = difyStream(progress)
  const state = start()
  let parts: ChatPart[] = []
  for (const frame of eventsIn(text)) {
    if (objectOf(parseJson(frame.data)).event === 'message_replace') parts = withoutText(parts, state)
    parts.push(...step(state, frame))
  }
  const failure = parts.find((part) => part.type === 'error')
  if (failure !== undefined) return failed(failure.error)
  const isComplete = parts.some((part) => part.type === 'end')
  return isComplete ? { ok: true, response: collectResponse(parts) } : failed(failureOf(text))
}

/** Nobody has seen it yet, so it can be taken back. */
function withoutText(parts: readonly ChatPart[], state: DifyState): ChatPart[] {
  state.answer = ''
  return parts.filter((part) => part.type !== 'text-delta')
}

function failed(error: UpstreamErrorInfo): DecodedResponse {
  return { ok: false, error }
}

function failureOf(body: string): UpstreamErrorInfo {
  return decodeErrorBody({ status: 200, headers: {}, body }, errorKinds)
}
