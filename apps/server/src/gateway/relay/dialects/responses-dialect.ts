import {
  asksForCompaction,
  type JsonObject,
  memberTextOf,
  openAiCompaction,
  openAiCompactionTurn,
  openAiResponses,
  outlineOf,
} from '@tollgate/formats'
import type { CallMode } from '@tollgate/providers'
import type { StoredResponses } from '../../stored-responses/stored-responses.ts'
import type { CallText } from '../bodies/call-text.ts'
import { callPath } from './call-path.ts'
import { type ChatDialectOptions, errorsOf, readChat } from './chat-dialect.ts'
import { type ContinuedCall, continueResponse } from './continue-response.ts'
import type { CallRequest, Dialect, ReadCall, ReceivedCall } from './dialect.ts'

/**
 * OpenAI's Responses, and the compaction of their conversations. A call that goes on from a stored response gets that
 * conversation into its body, so that any upstream can serve it.
 */
export function createResponsesDialect(options: ChatDialectOptions, stored: StoredResponses): Dialect {
  function readCall(
    mode: CallMode,
    body: CallText,
    received: ReceivedCall,
    continued?: ContinuedCall,
  ): ReadCall {
    const path = { ...callPath('responses', received), echo: echoOf(continued, stored) }
    const codec = path.isCompaction === true ? openAiCompaction : openAiResponses
    const read = readChat(codec, mode, body, path, options)
    const asks = codec === openAiResponses && mode === 'chat' && asksForCompaction(outlineOf(read.native))
    const request = asks ? readChat(openAiCompactionTurn, mode, body, path, options) : read
    const storeResponse = storeResponseOf(request, received, continued, stored)
    return storeResponse === undefined ? { request } : { request, storeResponse }
  }

  return {
    read(mode, body, received) {
      const { maxJsonDepth } = options
      const continuing = continueResponse(body, received.owner, { stored, maxJsonDepth })
      return continuing === undefined
        ? readCall(mode, body, received)
        : continuing.then((continued) => readCall(mode, { text: continued.body }, received, continued))
    },
    ...errorsOf(openAiResponses),
  }
}

/** Returns the members of a response that repeat the call and are not in the body for the upstream. */
function echoOf(continued: ContinuedCall | undefined, stored: StoredResponses): JsonObject {
  const previous = continued?.ancestorIds.at(-1)
  return {
    ...(previous !== undefined && { previous_response_id: previous }),
    ...(!stored.isOn && { store: false }),
  }
}

/** Stores the response for its caller, unless the caller or the operator wants none stored. */
function storeResponseOf(
  request: CallRequest,
  { owner }: ReceivedCall,
  continued: ContinuedCall | undefined,
  stored: StoredResponses,
): ReadCall['storeResponse'] {
  const { native } = request
  // Callers do not go on from a compaction by its id.
  if (native.body.store === false || !stored.isOn || request.format === 'openai-compaction') return undefined
  return (reply) =>
    stored.storeResponse({
      owner,
      input: continued?.input ?? memberTextOf(native, 'input') ?? '[]',
      ancestorIds: continued?.ancestorIds ?? [],
      reply,
      streamed: request.stream,
    })
}
