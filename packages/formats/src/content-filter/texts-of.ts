import { anthropicTexts } from './anthropic-texts.ts'
import { geminiTexts } from './gemini-texts.ts'
import { openAiTexts } from './openai-texts.ts'
import { responsesTexts } from './responses-texts.ts'
import type { ResponseTexts } from './text-slots.ts'

/** Formats of answers in which models speak. */
const texts: Readonly<Record<string, ResponseTexts>> = {
  'openai-chat': openAiTexts,
  'openai-completions': openAiTexts,
  'anthropic-messages': anthropicTexts,
  gemini: geminiTexts,
  'openai-responses': responsesTexts,
  'openai-compaction': responsesTexts,
}

/** `undefined` for answers without words: numbers, pictures, sounds. */
export function textsOf(format: string): ResponseTexts | undefined {
  return Object.hasOwn(texts, format) ? texts[format] : undefined
}
