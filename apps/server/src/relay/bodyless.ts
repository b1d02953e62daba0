import type { ModelRequest } from './call.ts'

const nothingWritten: ModelRequest['native'] = {
  text: '{}',
  scan: { ok: true, depth: 1, list: [], members: new Map(), duplicates: new Set(), closeBrace: 1 },
  body: {},
}

/**
 * What is asked where no body is that the relay would look into: sessions, and work that is finished later.
 * @param texts what its caller wrote, for the operator's words
 */
export function bodyless<Format extends ModelRequest['format']>(
  details: Pick<ModelRequest, 'model' | 'stream'> & { readonly format: Format },
  texts: readonly string[] = [],
): ModelRequest & { readonly format: Format } {
  return {
    ...details,
    reasoningEffort: '',
    native: nothingWritten,
    prompt: () => ({ messages: [], tools: [], texts: [...texts], tokens: 0 }),
    roughPromptTokens: () => 0,
    maxOutputTokens: undefined,
    candidates: 1,
  }
}
