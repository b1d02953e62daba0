import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'
import { promptOfInput } from '../openai-chat/chat-prompt.ts'
import type { Prompt } from '../prompt.ts'

/** The query and the texts of the documents. */
export function promptOfRerank({ query, documents }: JsonObject): Prompt {
  return promptOfInput([textOf(query), ...listOf(documents).map(documentText)])
}

/** A document may be an object with its text in a member of that name, or in members of its own. */
export function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  const { text } = objectOf(document)
  return typeof text === 'string' ? text : JSON.stringify(document)
}

/**
 * Models that are priced by the character count each as a token; of the others, the text is tokens.
 * @param defaultModel of a request that names none
 */
export function promptOfSpeech({ model, input, instructions }: JsonObject, defaultModel: string): Prompt {
  const text = textOf(input)
  if (isPricedByCharacter(textOf(model) || defaultModel))
    return { ...promptOfInput(undefined), tokens: charactersOf(text) }
  return promptOfInput([text, textOf(instructions)])
}

export function isPricedByCharacter(model: string): boolean {
  return model.startsWith('tts')
}

/** Code points: a letter outside the first plane is one character to everybody but JavaScript. */
function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
