/** An error as a caller is told it; every format shapes it in its own way. The message is fit for the caller's eyes. */
export interface ApiError {
  /** HTTP status of the answer, or the one that the failure stands for inside a stream. */
  readonly status: number
  /** Says what to do; the request id is part of it. */
  readonly message: string
  /** The same alone, for formats that have a field for it; absent where no call has one. */
  readonly requestId?: string
  /** In OpenAI's words: `invalid_request_error`, `insufficient_quota`, `server_error`, … */
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  /** Whole seconds after which the call may be made again, for formats that say it in the body too. */
  readonly retryAfterSeconds?: number
}
