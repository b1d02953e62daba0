import type { AssistantPart } from '../canonical/request.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json-value.ts'
import { member } from './fields.ts'
import { mediaOf } from './media.ts'
import { signatureOf } from './signature.ts'

/**
 * A part of a model's content; `undefined` for one that says nothing, or that has no canonical form. Never throws.
 * Calls of code and their results, which run at Google, become fenced text. Pictures that are thoughts have no form.
 */
export function assistantPartOf(part: JsonObject): AssistantPart | undefined {
  const call = member(part, 'functionCall')
  if (isObject(call)) return callOf(call, part)
  if (part.thought !== true) {
    const media = mediaOf(part)
    if (media !== undefined) return media
  }
  const text = textOf(part.text) || executedText(part)
  const signature = signatureOf(member(part, 'thoughtSignature'))
  if (text === '' && signature === undefined) return undefined
  return {
    type: part.thought === true ? 'reasoning' : 'text',
    text,
    ...(signature !== undefined && { signature }),
  }
}

function callOf(call: JsonObject, part: JsonObject): AssistantPart | undefined {
  const name = textOf(call.name)
  if (name === '') return undefined
  const signature = signatureOf(member(part, 'thoughtSignature'))
  return {
    type: 'tool-call',
    id: textOf(call.id),
    name,
    arguments: JSON.stringify(objectOf(call.args)),
    ...(signature !== undefined && { signature }),
  }
}

function executedText(part: JsonObject): string {
  const code = objectOf(member(part, 'executableCode'))
  if (typeof code.code === 'string') return fenced(languageOf(code.language), code.code)
  const result = objectOf(member(part, 'codeExecutionResult'))
  return typeof result.output === 'string' ? fenced('output', result.output) : ''
}

function languageOf(language: unknown): string {
  const name = textOf(language).toLowerCase()
  return name === 'language_unspecified' ? '' : name
}

function fenced(language: string, text: string): string {
  return `\n\`\`\`${language}\n${text.endsWith('\n') ? text : `${text}\n`}\`\`\`\n`
}
