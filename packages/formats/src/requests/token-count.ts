import type { FormatName } from '../canonical/request.ts'
import { memberText, scanTopLevel } from '../json/text.ts'
import { objectOf, parseJson } from '../json/value.ts'

/** Form in which a format reports the tokens of a prompt in a response to a count request. */
interface TokenCountForm {
  /** The response's field that holds the count. */
  readonly field: string
  /** The response around the count. */
  readonly response: object
}

/** https://platform.openai.com/docs/api-reference/responses/input-tokens */
const openAiForm: TokenCountForm = { field: 'input_tokens', response: { object: 'response.input_tokens' } }

const forms: { readonly [Format in string]?: TokenCountForm } = {
  // https://platform.claude.com/docs/en/api/messages/count_tokens
  'anthropic-messages': { field: 'input_tokens', response: {} },
  // https://ai.google.dev/api/tokens
  gemini: { field: 'totalTokens', response: {} },
}

/** Bedrock's word for the count of any format. */
const bedrockField = 'inputTokens'

/** The count in a response; `undefined` when it has none. */
export function decodeTokenCount(format: string, body: string): number | undefined {
  const response = objectOf(parseJson(body))
  const count = response[(forms[format] ?? openAiForm).field] ?? response[bedrockField]
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined
}

/** The response with a count, as JSON text. */
export function encodeTokenCount(format: string, tokens: number): string {
  const { field, response } = forms[format] ?? openAiForm
  return JSON.stringify({ ...response, [field]: tokens })
}

const wrapper = 'generateContentRequest'

/**
 * The request whose prompt is to be counted: Gemini's may be inside `generateContentRequest`, in either spelling. A
 * text that cannot be read is left for others to refuse.
 */
export function requestToCount(format: FormatName, text: string, maxDepth: number): string {
  if (format !== 'gemini') return text
  const scan = scanTopLevel(text, maxDepth)
  if (!scan.ok) return text
  const member = scan.members.get(wrapper) ?? scan.members.get('generate_content_request')
  return member === undefined ? text : memberText(text, member)
}
