/** An error as callers of OpenAI's dialect read it. Its message must already be fit for their eyes. */
export interface OpenAiError {
  /** Says what to do, without the request id. */
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

/** Response body of a refused or failed call. */
export function encodeErrorBody(error: OpenAiError, requestId: string): string {
  const { message, type, param, code } = error
  return JSON.stringify({ error: { message: `${message} (request id: ${requestId})`, type, param, code } })
}

/** The last event of a stream that failed after its start. No `[DONE]` follows: a failure is no cheerful end. */
export function encodeErrorEvent(error: OpenAiError, requestId: string): string {
  return `data: ${encodeErrorBody(error, requestId)}\n\n`
}
