import { datedClaude } from '../claude.ts'

/** Whose models they are: each family is asked in a form of its own. */
export type VertexFamily = 'claude' | 'mistral' | 'open' | 'google'

export function familyOf(model: string): VertexFamily {
  if (/^claude-/i.test(model)) return 'claude'
  // Open models are served under `publisher/model-maas`.
  if (model.includes('/')) return 'open'
  return /^(mistral|ministral|codestral|magistral)-/i.test(model) ? 'mistral' : 'google'
}

const renamed: Readonly<Record<string, string>> = {
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
}

/**
 * Anthropic's date at the end of a name stands behind an `@` here; other names pass as they are.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude
 */
export function claudeIdOf(model: string): string {
  const dated = datedClaude(model)
  return renamed[dated] ?? dated.replace(/^(claude-.*)-(\d{8})$/, '$1@$2')
}
