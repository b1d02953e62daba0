import type { FormatName } from '@tollgate/formats'
import { claudeVariant } from './claude.ts'
import { geminiVariant } from './gemini-variant.ts'
import type { ModelOptions, ModelVariant } from './model-options.ts'
import type { PlainFormat } from './provider.ts'

/**
 * What the end of a name asks of a vendor's models, whoever hosts them; `undefined` for a name that is the model's own.
 * Efforts of OpenAI's models are quirks of the few that serve them: others have models of such names.
 */
export function modelVariant(
  format: FormatName | PlainFormat,
  name: string,
  options: ModelOptions,
): ModelVariant | undefined {
  if (format === 'anthropic-messages') return claudeVariant(name, options.claude)
  return format === 'gemini' ? geminiVariant(name, options.gemini) : undefined
}
