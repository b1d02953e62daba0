/** A response as a caller's own SDK returns it. */
export interface SdkReply {
  readonly text: string
  /** The model's reasoning, where the SDK shows it. */
  readonly reasoning: string
  readonly toolCalls: readonly SdkToolCall[]
  /** Reason of the end, in the words of the caller's format. */
  readonly stop: string
  /** The counts that the SDK shows, by the names of its format; zeros left out. */
  readonly usage: Readonly<Record<string, number>>
  /**
   * The next turn: the response as received back in the history, with the tools' results, one for each call. They are sent as
   * calls that run side by side end: the last one first.
   */
  giveResults(...results: readonly string[]): Promise<SdkReply>
}

export interface SdkToolCall {
  readonly name: string
  readonly arguments: unknown
}

export interface SdkOptions {
  readonly gatewayUrl: string
  readonly key: string
}

export interface Ask {
  readonly model: string
  readonly stream: boolean
  readonly withTool: boolean
  /** An image in the question, reasoning along with the response, or a response in JSON of `responseSchema`. */
  readonly wants?: 'image' | 'reasoning' | 'schema'
}

export type SdkAsk = (ask: Ask) => Promise<SdkReply>

export const system = 'You are brief.'
export const question = 'What is the weather in Zürich?'
export const tool = { name: 'get_weather', description: 'Weather of a city' }
export const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
}

/** One pixel. */
export const image = {
  mediaType: 'image/png' as const,
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
}

export const responseSchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, degrees: { type: 'number' as const } },
  required: ['city', 'degrees'],
  additionalProperties: false as const,
}

/** Room for the smallest reasoning budget. */
export const maxTokens = 4096
export const thinkingBudget = 2048

/** Pairs each result with the call that it belongs to, the last one first. */
export function inOrderOfCompletion<Call>(
  calls: readonly Call[],
  results: readonly string[],
): readonly (readonly [Call, string])[] {
  return calls.map((call, index) => [call, results[index] ?? ''] as const).toReversed()
}

/** Returns the counts without absent ones and zeros. */
export function counts(
  found: Readonly<Record<string, number | null | undefined>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, number] => Boolean(entry[1])),
  )
}
