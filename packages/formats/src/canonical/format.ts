/** The wire formats of chat that are known by name. A format that only one upstream speaks has its provider's name. */
export type PublicFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'
export type FormatName =
  | PublicFormat
  /** Responses' own, of a conversation that is to become shorter. */
  | 'openai-compaction'
  | 'bedrock-converse'
  | 'cohere-chat'
  | 'ollama-chat'
  | `provider:${string}`
