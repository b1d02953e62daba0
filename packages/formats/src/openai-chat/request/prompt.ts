import type { Prompt, PromptImage, PromptMessage } from '../../canonical/prompt.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { PlainMessage } from '../../requests/bytes/plain-message.ts'

const none: readonly never[] = []
const empty: Prompt = { messages: none, tools: none, texts: none, tokens: 0 }

/** Returns what of a chat request counts as its prompt. */
export function promptOfChat(body: JsonObject): Prompt {
  const messages = listOf(body.messages).map(messageOf)
  if (body.tools === undefined && body.functions === undefined)
    return { messages, tools: none, texts: none, tokens: 0 }
  const functions = [
    ...listOf(body.tools).map((tool) => objectOf(tool).function ?? tool),
    ...listOf(body.functions),
  ]
  return {
    ...empty,
    messages,
    tools: functions.filter(isObject).map(toolText),
  }
}

/** A text, texts, token numbers, or lists of token numbers; multimodal inputs count by their text. */
export function promptOfInput(input: unknown): Prompt {
  const parts = Array.isArray(input) ? input : [input]
  const texts = parts.flatMap((part) =>
    typeof part === 'string' ? [part] : isObject(part) ? [textOf(part.text)] : [],
  )
  const tokens = parts.reduce<number>(
    (sum, part) => sum + (Array.isArray(part) ? part.length : Number(numberOf(part) !== undefined)),
    0,
  )
  return { ...empty, texts, tokens }
}

function messageOf(message: unknown): PromptMessage {
  if (message instanceof PlainMessage) return message
  const { role, name, content, tool_calls, function_call } = objectOf(message)
  // Nearly every message is one text, and every call is estimated: spreading an object takes the time of ten fields.
  if (typeof content === 'string' && tool_calls === undefined && function_call === undefined) {
    const texts = content === '' ? [] : [content]
    return { role: textOf(role), name: textOf(name), texts, images: noImages, audioParts: 0, fileParts: 0 }
  }
  if (!Array.isArray(content)) {
    const texts = callTexts(textOf(content), tool_calls, function_call)
    return { role: textOf(role), name: textOf(name), texts, images: noImages, audioParts: 0, fileParts: 0 }
  }
  const parts = listOf(content).map(objectOf)
  const calls = [...listOf(tool_calls).map((call) => objectOf(call).function), function_call].map(objectOf)
  return {
    role: textOf(role),
    name: textOf(name),
    texts: [
      textOf(content),
      ...parts.map((part) => textOf(part.text) || textOf(part.refusal)),
      ...calls.flatMap((call) => [textOf(call.name), textOf(call.arguments)]),
    ].filter((text) => text !== ''),
    images: parts.filter((part) => part.image_url !== undefined).map(imageOf),
    audioParts: parts.filter((part) => part.type === 'input_audio').length,
    fileParts: parts.filter((part) => part.type === 'file').length,
  }
}

const noImages: readonly PromptImage[] = []

/** Texts of a message that calls tools, and has one text or none. */
function callTexts(content: string, toolCalls: unknown, functionCall: unknown): readonly string[] {
  const texts = content === '' ? [] : [content]
  for (const call of listOf(toolCalls)) addCall(texts, objectOf(call).function)
  addCall(texts, functionCall)
  return texts
}

function addCall(texts: string[], call: unknown): void {
  const { name, arguments: argument } = objectOf(call)
  for (const text of [textOf(name), textOf(argument)]) if (text !== '') texts.push(text)
}

function imageOf(part: JsonObject): PromptImage {
  const image = part.image_url
  return { detail: textOf(objectOf(image).detail), url: textOf(image) || textOf(objectOf(image).url) }
}

function toolText(tool: JsonObject): string {
  const parameters = tool.parameters === undefined ? '' : JSON.stringify(tool.parameters)
  return `${textOf(tool.name)}${textOf(tool.description)}${parameters}`
}
