import type { SentMessage } from './thread.ts'

/** Everything that decides what a model answers. */
export interface ChatSettings {
  readonly group: string
  readonly model: string
  readonly temperature: number
  /** 0 sets no limit. */
  readonly maxTokens: number
  readonly stream: boolean
}

/** The body of a playground call. The gateway takes `group` out and treats a limit of 0 as none. */
export function chatBody(settings: ChatSettings, messages: readonly SentMessage[]): object {
  const { group, model, temperature, maxTokens, stream } = settings
  return {
    model,
    group,
    messages,
    stream,
    temperature,
    max_tokens: maxTokens,
    ...(stream && { stream_options: { include_usage: true } }),
  }
}
