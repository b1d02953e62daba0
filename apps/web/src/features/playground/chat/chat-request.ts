import type { SentMessage } from './conversation.ts'

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

/** The same call for a terminal, with a key left to be filled in: the group is the key's own there. */
export function chatCurl(address: string, settings: ChatSettings, messages: readonly SentMessage[]): string {
  const { model, temperature, maxTokens, stream } = settings
  const body = {
    model,
    messages,
    temperature,
    ...(maxTokens > 0 && { max_tokens: maxTokens }),
    ...(stream && { stream: true }),
  }
  return [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${shellText(JSON.stringify(body, null, 2))}`,
  ].join('\n')
}

/** Inside single quotes a shell takes everything as it stands, except a single quote. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
