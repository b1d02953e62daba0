export type Encoding = 'o200k_base' | 'cl100k_base'

const newerFamilies = /^(?:chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o\d)/

/** Returns the encoding by which a model's vendor cuts text into tokens; models of other vendors count as older OpenAI ones. */
export function encodingOf(model: string): Encoding {
  return newerFamilies.test(model) ? 'o200k_base' : 'cl100k_base'
}
