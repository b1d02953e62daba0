/** The wire formats of chat that are known by name. A format that only one upstream speaks has its provider's name. */
export type PublicFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'
/** Every wire format of chat by its name. */
export type FormatName =
  | PublicFormat
  /** Responses' own, of a conversation that is to become shorter. */
  | 'openai-compaction'
  /** A turn of Responses that asks for that: upstreams are asked for it, and no body has it as its format. */
  | 'openai-compaction-turn'
  | 'bedrock-converse'
  | 'cohere-chat'
  | 'ollama-chat'
  | `provider:${string}`

/**
 * A chat request in no vendor's words: what every codec decodes to and encodes from. It holds what two or more formats
 * have in common; what only one format has stays in `vendor`, which only that format's codec reads again.
 */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  /** The conversation in its order; instructions may appear anywhere in it. */
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** False when the model must call at most one tool at a time. */
  readonly parallelToolCalls?: boolean
  readonly outputFormat?: OutputFormat
  readonly reasoning?: ReasoningOptions
  readonly sampling: Sampling
  /** Largest number of output tokens per candidate. */
  readonly maxOutputTokens?: number
  readonly options: RequestOptions
  /** Top-level fields of the caller's format that have no canonical form, by their names there. */
  readonly vendor?: VendorFields
}

/** Fields that only the caller's format has. */
export interface VendorFields {
  readonly format: FormatName
  readonly fields: Readonly<Record<string, unknown>>
}

/** One turn of a conversation. */
export type Message =
  | { readonly role: 'system'; readonly parts: readonly TextPart[] }
  | { readonly role: 'user'; readonly parts: readonly UserPart[]; readonly name?: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[]; readonly name?: string }

/** Results of tools come from the user's side, as at Anthropic and Gemini. */
export type UserPart = TextPart | MediaPart | ToolResultPart
/** A part of what a model says. */
export type AssistantPart = TextPart | MediaPart | ReasoningPart | RefusalPart | ToolCallPart

/** Mark of a prompt cache: the upstream caches what lies before it, the part itself included. */
export interface CacheMark {
  readonly ttl: '5m' | '1h'
}

interface Markable {
  readonly cache?: CacheMark
}

/** A text of a message. */
export interface TextPart extends Markable {
  readonly type: 'text'
  readonly text: string
  /** Gemini 3 signs texts, too; goes back to the vendor that made it. */
  readonly signature?: Signature
}

/** An image, a sound, a film or a document. */
export interface MediaPart extends Markable {
  readonly type: 'media'
  readonly kind: 'image' | 'audio' | 'video' | 'document'
  readonly source: MediaSource
  /** `low`, `high`, `auto`, … as OpenAI's callers say it; empty when not said. */
  readonly detail?: string
  readonly filename?: string
  readonly signature?: Signature
}

/** Source of the bytes of a medium. */
export type MediaSource =
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string; readonly mediaType?: string }
  /** A document given as plain text. */
  | { readonly type: 'text'; readonly text: string }
  /** A file uploaded to one vendor before. */
  | { readonly type: 'file'; readonly format: FormatName; readonly id: string; readonly mediaType?: string }

/** A vendor's proof of its own reasoning. Opaque; callers return it unchanged, and only the same vendor receives it. */
export interface Signature {
  readonly vendor: 'anthropic' | 'gemini' | 'openai' | 'bedrock'
  readonly value: string
}

/** A model's reasoning before its text. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  /** Empty when the vendor sends its reasoning encrypted or not at all. */
  readonly text: string
  readonly signature?: Signature
  /** Reasoning that only its vendor can read: Anthropic's redacted thinking, OpenAI's encrypted content. */
  readonly encrypted?: Signature
}

/** Reason why the model will not respond, in its words. */
export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/** A call of a tool that the model wants. */
export interface ToolCallPart extends Markable {
  readonly type: 'tool-call'
  /** Empty where the format gives calls no id. */
  readonly id: string
  readonly name: string
  /** JSON text of the arguments as the model wrote it; free text for a custom tool. */
  readonly arguments: string
  readonly signature?: Signature
  /** True for a call of a response whose arguments are not whole: nobody may make it. */
  readonly isCut?: boolean
}

/** Result of a call of a tool. */
export interface ToolResultPart extends Markable {
  readonly type: 'tool-result'
  /** Id of its call; empty where the format has none. */
  readonly callId: string
  /** Name of the tool, where the format says it; the call's own name otherwise. */
  readonly name?: string
  readonly content: readonly (TextPart | MediaPart)[]
  readonly isError?: boolean
}

/** A tool that the model may call. */
export type Tool = FunctionTool | VendorTool

/** A function that the caller runs. */
export interface FunctionTool extends Markable {
  readonly type: 'function'
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments; absent for a tool without any. */
  readonly parameters?: JsonSchema
  readonly strict?: boolean
}

/** A tool that runs at its vendor, or that only one format knows. Can be carried to that format alone. */
export interface VendorTool {
  readonly type: 'vendor'
  readonly format: FormatName
  readonly name: string
  /** The tool as it stood in the request. */
  readonly definition: unknown
}

/** A JSON Schema as the caller wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Choice of tools that the model may, must or must not call. */
export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly name: string }
  /** One of these, or none of them. */
  | { readonly type: 'allowed'; readonly names: readonly string[]; readonly required: boolean }

/** The form that the caller wants the text in. */
export type OutputFormat =
  | { readonly type: 'text' | 'json' }
  | {
      readonly type: 'json-schema'
      readonly name: string
      readonly schema: JsonSchema
      readonly strict?: boolean
      readonly description?: string
    }

/** Options of reasoning: how much the model should think, and whether it shows that. */
export interface ReasoningOptions {
  /** Effort on a vendor-neutral scale; `none` switches reasoning off where the model allows it. */
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  /** Tokens that may be spent on reasoning; -1 leaves it to the model. */
  readonly budgetTokens?: number
  /** True when the response should contain the reasoning or a summary of it. */
  readonly includeThoughts?: boolean
}

/** Options of sampling: how tokens are chosen, and where the response stops. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly stop: readonly string[]
  /** Number of candidates that the caller wants; 1 by default. */
  readonly candidates: number
  /** Log probabilities of the tokens, with so many alternatives each; absent when not wanted. */
  readonly logprobs?: number
}

/** Options that steer a call beside its content. */
export interface RequestOptions {
  /** The caller's own name for its end user. */
  readonly user?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly serviceTier?: string
  /** Calls with the same key share a prompt cache. */
  readonly promptCacheKey?: string
  readonly verbosity?: 'low' | 'medium' | 'high'
  /** Kinds of output wanted beside text. */
  readonly modalities?: readonly ('text' | 'image' | 'audio')[]
}
