import type { Prompt, PromptImage, PromptMessage } from '../../canonical/prompt.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { summaryIn } from '../response/item-content.ts'

/** Returns what counts as the prompt: instructions, items with their content, and tools. Never throws. */
export function promptOf(body: JsonObject): Prompt {
  const messages: PromptMessage[] = []
  if (textOf(body.instructions) !== '') messages.push(stated('system', [textOf(body.instructions)]))
  if (typeof body.input === 'string') messages.push(stated('user', [body.input]))
  else for (const item of listOf(body.input)) messages.push(messageOf(objectOf(item)))
  return { messages, tools: toolTexts(body.tools), texts: [], tokens: 0 }
}

function stated(role: string, texts: readonly string[]): PromptMessage {
  return { role, name: '', texts, images: [], audioParts: 0, fileParts: 0 }
}

/** Collects all text of an item that the model reads: its content, a call's arguments, a tool's output. */
function messageOf(item: JsonObject): PromptMessage {
  const parts = [...listOf(item.content), ...listOf(item.output), ...listOf(item.summary)].map(objectOf)
  const texts = [
    textOf(item.content),
    textOf(item.name),
    textOf(item.arguments),
    textOf(item.input),
    textOf(item.output),
    summaryIn(item) ?? '',
    ...parts.map((part) => textOf(part.text) || textOf(part.refusal) || textOf(part.encrypted_content)),
    ...(item.type === 'additional_tools' ? toolTexts(item.tools) : []),
  ]
  return {
    ...stated(
      textOf(item.role),
      texts.filter((text) => text !== ''),
    ),
    images: parts.filter((part) => part.type === 'input_image').map(imageOf),
    audioParts: parts.filter((part) => part.type === 'input_audio').length,
    fileParts: parts.filter((part) => part.type === 'input_file').length,
  }
}

function imageOf(part: JsonObject): PromptImage {
  return { detail: textOf(part.detail), url: textOf(part.image_url) }
}

function toolTexts(tools: unknown): readonly string[] {
  return listOf(tools).filter(isObject).flatMap(toolText)
}

function toolText(tool: JsonObject): readonly string[] {
  if (tool.type === 'namespace') return toolTexts(tool.tools)
  const schema = tool.parameters === undefined ? '' : JSON.stringify(tool.parameters)
  const grammar = textOf(objectOf(tool.format).definition)
  return [`${textOf(tool.name)}${textOf(tool.description)}${schema}${grammar}`]
}
