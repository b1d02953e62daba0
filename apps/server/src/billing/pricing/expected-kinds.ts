import type { Prompt, RequestText } from '@tollgate/formats'
import type { TokenKind } from './token-kinds.ts'

const noKinds: readonly TokenKind[] = []

/**
 * What a call may use beside text and cached input, for its reservation: rather too much than too little.
 * @param request in the caller's format, whichever it is
 */
export function expectedKinds(
  { text, body }: Pick<RequestText, 'text' | 'body'>,
  { messages }: Prompt,
): readonly TokenKind[] {
  const kinds: TokenKind[] = []
  // Marks stand anywhere in a body: one search costs less than a walk.
  if (text.includes('"cache')) kinds.push(...markedWrites(text))
  // A file may be a recording, and its pages may be read as images.
  if (messages.some(({ audioParts, fileParts }) => audioParts + fileParts > 0)) kinds.push('audioInput')
  if (messages.some(({ images, fileParts }) => images.length + fileParts > 0)) kinds.push('imageInput')
  if (asksForAudio(body)) kinds.push('audioOutput')
  return kinds.length === 0 ? noKinds : kinds
}

/** Anthropic's mark, which others took over, and Bedrock's. */
function markedWrites(text: string): readonly TokenKind[] {
  if (!text.includes('"cache_control"') && !text.includes('"cachePoint"')) return noKinds
  return text.includes('"1h"') ? ['cacheWrite', 'cacheWrite1h'] : ['cacheWrite']
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
