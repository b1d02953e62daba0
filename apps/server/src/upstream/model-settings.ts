import type { EncodeTarget } from '@tollgate/formats'
import { byModel, type HeaderMap, type ModelOptions, type Operation } from '@tollgate/providers'

type EncodingOptions = Pick<
  EncodeTarget,
  'defaultMaxTokens' | 'safetySettings' | 'maxImages' | 'generatesImages'
>

const none: EncodingOptions = {}

/** Returns the additions of the operator's model settings to a body of a format. */
export function encodingOptions(
  format: Operation['format'],
  { claude, gemini }: ModelOptions,
  name: string,
  model = name,
): EncodingOptions {
  if (format === 'anthropic-messages') {
    const defaultMaxTokens = byModel(claude.defaultMaxTokens, name, model)
    return defaultMaxTokens === undefined ? none : { defaultMaxTokens }
  }
  if (format !== 'gemini') return none
  const generatesImages = gemini.imageModels.includes(name) || gemini.imageModels.includes(model)
  return { safetySettings: safetySettingsOf(gemini), maxImages: gemini.maxImages, generatesImages }
}

/** https://ai.google.dev/api/generate-content#HarmCategory */
const harmCategories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
] as const

function safetySettingsOf({
  safety,
}: ModelOptions['gemini']): NonNullable<EncodingOptions['safetySettings']> {
  return harmCategories.flatMap((category) => {
    const threshold = byModel(safety, category)
    return threshold === undefined || threshold === '' ? [] : [{ category, threshold }]
  })
}

/**
 * The header fields that the operator sets for a model, over those of the caller that go along. Betas of both are sent:
 * either may need its own.
 * @param model by the name that the caller used
 */
export function withModelHeaders(
  format: Operation['format'],
  caller: HeaderMap,
  { claude }: ModelOptions,
  model: string,
): HeaderMap {
  if (format !== 'anthropic-messages' || !Object.hasOwn(claude.headers, model)) return caller
  const headers: Record<string, string> = { ...caller }
  for (const [field, values] of Object.entries(claude.headers[model] ?? {})) {
    const name = field.toLowerCase()
    const before = name === betaField ? headers[name] : undefined
    headers[name] = [...new Set([...(before === undefined ? [] : [before]), ...values])].join(',')
  }
  return headers
}

const betaField = 'anthropic-beta'
