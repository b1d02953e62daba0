import { containsText, type Prompt, type RequestText, type Usage } from '@tollgate/formats'

/** The kinds of tokens that have a price of their own. Every token of a call is of exactly one kind. */
export const tokenKinds = [
  'textInput',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'audioInput',
  'imageInput',
  'textOutput',
  'audioOutput',
  'imageOutput',
] as const

export type TokenKind = (typeof tokenKinds)[number]

export type PerKind<Value> = { readonly [kind in TokenKind]: Value }

/** No upstream is believed beyond this; the log keeps counts in 32 bits. */
const maxTokens = 2_147_483_647

/** A count as it can be charged: whole, not negative, at most 32 bits. Anything else, `NaN` included, is 0 or cut. */
export function chargeableCount(tokens: number): number {
  return tokens > 0 ? Math.min(Math.trunc(tokens), maxTokens) : 0
}

/** The tokens of a usage by kind. What is said to be a part of the input or output is never more than the whole. */
export function countsByKind(usage: Usage): PerKind<number> {
  const input = chargeableCount(usage.inputTokens)
  const audioInput = Math.min(chargeableCount(usage.audioInputTokens), input)
  const imageInput = Math.min(chargeableCount(usage.imageInputTokens), input - audioInput)
  const output = chargeableCount(usage.outputTokens)
  const audioOutput = Math.min(chargeableCount(usage.audioOutputTokens), output)
  const imageOutput = Math.min(chargeableCount(usage.imageOutputTokens), output - audioOutput)
  return {
    textInput: input - audioInput - imageInput,
    cacheRead: chargeableCount(usage.cacheReadTokens),
    cacheWrite: chargeableCount(usage.cacheWriteTokens),
    cacheWrite1h: chargeableCount(usage.cacheWrite1hTokens),
    audioInput,
    imageInput,
    textOutput: output - audioOutput - imageOutput,
    audioOutput,
    imageOutput,
  }
}

export const noCounts: PerKind<number> = perKind(() => 0)

export function perKind<Value>(of: (kind: TokenKind) => Value): PerKind<Value> {
  // Object.fromEntries forgets the names; every kind has its entry.
  return Object.fromEntries(tokenKinds.map((kind) => [kind, of(kind)])) as PerKind<Value>
}

const noKinds: readonly TokenKind[] = []

/**
 * Returns the kinds of tokens that a call may use beside text and cached input, for its reservation: rather too many than too few.
 * @param request in the caller's format, whichever it is
 */
export function expectedKinds(
  request: Pick<RequestText, 'text' | 'body' | 'received'>,
  { messages }: Prompt,
): readonly TokenKind[] {
  const kinds: TokenKind[] = []
  // Marks stand anywhere in a body: one search costs less than a walk.
  if (containsText(request, '"cache')) kinds.push(...markedWrites(request))
  // A file may be a recording, and its pages may be read as images.
  if (messages.some(({ audioParts, fileParts }) => audioParts + fileParts > 0)) kinds.push('audioInput')
  if (messages.some(({ images, fileParts }) => images.length + fileParts > 0)) kinds.push('imageInput')
  if (asksForAudio(request.body)) kinds.push('audioOutput')
  return kinds.length === 0 ? noKinds : kinds
}

/** Anthropic's mark, which others took over, and Bedrock's. */
function markedWrites(request: Pick<RequestText, 'text' | 'received'>): readonly TokenKind[] {
  if (!containsText(request, '"cache_control"') && !containsText(request, '"cachePoint"')) return noKinds
  return containsText(request, '"1h"') ? ['cacheWrite', 'cacheWrite1h'] : ['cacheWrite']
}

/** OpenAI's `modalities`; Gemini's are a part of its settings, in either spelling. */
function asksForAudio({ modalities, generationConfig, generation_config }: RequestText['body']): boolean {
  if (modalities !== undefined) return namesAudio(modalities)
  const settings = generationConfig ?? generation_config
  if (typeof settings !== 'object' || settings === null) return false
  return Object.entries(settings).some(
    ([name, value]) => /^response_?modalities$/i.test(name) && namesAudio(value),
  )
}

function namesAudio(modalities: unknown): boolean {
  return Array.isArray(modalities) && modalities.some((name) => String(name).toLowerCase() === 'audio')
}
