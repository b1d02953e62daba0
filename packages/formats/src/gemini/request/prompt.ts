import type { Prompt, PromptImage, PromptMessage } from '../../canonical/prompt.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { dataUrl } from '../../media.ts'
import { member } from '../fields.ts'
import { isTextAlone, mediaOf } from '../parts.ts'

/** Returns what of a body counts as its prompt. Never throws, whatever the body holds. */
export function promptOf(body: JsonObject): Prompt {
  const instruction = member(body, 'systemInstruction')
  const contents = oneOrMore(member(body, 'contents')).map((content) => messageOf(objectOf(content)))
  return {
    messages: instruction === undefined ? contents : [systemMessage(instruction), ...contents],
    tools: oneOrMore(body.tools).flatMap((tool) => toolTexts(objectOf(tool))),
    texts: [],
    tokens: 0,
  }
}

function oneOrMore(value: unknown): readonly unknown[] {
  return isObject(value) ? [value] : listOf(value)
}

function systemMessage(instruction: unknown): PromptMessage {
  const message = messageOf(objectOf(instruction))
  const texts = typeof instruction === 'string' ? [instruction] : message.texts
  return { ...message, role: 'system', texts }
}

function messageOf(content: JsonObject): PromptMessage {
  const parts = oneOrMore(content.parts).map(objectOf)
  const media = parts.flatMap((part) => mediaOf(part) ?? [])
  return {
    role: textOf(content.role) || 'user',
    name: '',
    texts: parts.flatMap(textsOf).filter((text) => text !== ''),
    images: media.filter(({ kind }) => kind === 'image').map(imageOf),
    audioParts: media.filter(({ kind }) => kind === 'audio').length,
    fileParts: media.filter(({ kind }) => kind === 'document' || kind === 'video').length,
  }
}

function textsOf(part: JsonObject): readonly string[] {
  if (isTextAlone(part)) return [part.text]
  const call = objectOf(member(part, 'functionCall'))
  const response = objectOf(member(part, 'functionResponse'))
  const code = objectOf(member(part, 'executableCode'))
  const result = objectOf(member(part, 'codeExecutionResult'))
  return [
    textOf(part.text),
    textOf(call.name),
    jsonOf(call.args),
    textOf(response.name),
    jsonOf(response.response),
    textOf(code.code),
    textOf(result.output),
  ]
}

function imageOf({ source, detail = '' }: NonNullable<ReturnType<typeof mediaOf>>): PromptImage {
  switch (source.type) {
    case 'base64':
      return { detail, url: dataUrl(source) }
    case 'url':
      return { detail, url: source.url }
    default:
      return { detail, url: '' }
  }
}

function toolTexts(tool: JsonObject): readonly string[] {
  return oneOrMore(member(tool, 'functionDeclarations')).map((item) => {
    const declaration = objectOf(item)
    const parameters = member(declaration, 'parametersJsonSchema') ?? declaration.parameters
    return `${textOf(declaration.name)}${textOf(declaration.description)}${jsonOf(parameters)}`
  })
}

function jsonOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
