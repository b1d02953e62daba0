export interface PromptImage {
  /** `low`, `high`, `auto` or empty, as the caller wrote it. */
  readonly detail: string
  /** An address or a data URL. */
  readonly url: string
}

export interface PromptMessage {
  readonly role: string
  readonly name: string
  /** Content texts, and names and arguments of earlier tool calls. */
  readonly texts: readonly string[]
  readonly images: readonly PromptImage[]
  readonly audioParts: number
  readonly fileParts: number
}

/** What of a request counts as its prompt, whatever format it came in. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  /** Per tool: name, description and parameters as one text. */
  readonly tools: readonly string[]
  /** Prompts of completions, inputs of embeddings. */
  readonly texts: readonly string[]
  /** Prompt parts that came as token numbers: already counted. */
  readonly tokens: number
}
