import type { Prompt, PromptImage, PromptMessage } from '../../canonical/prompt.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { dataUrl } from '../../media.ts'
import { PlainMessage } from '../../requests/bytes/plain-message.ts'

/** Returns what counts as the prompt: instructions, messages with their blocks, and tools. Never throws. */
export function promptOf(body: JsonObject): Prompt {
  const messages = listOf(body.messages).map((message): PromptMessage => {
    if (message instanceof PlainMessage) return message
    const { role, content } = objectOf(message)
    return promptMessage(textOf(role), content)
  })
  if (body.system !== undefined) messages.unshift(promptMessage('system', body.system))
  return { messages, tools: listOf(body.tools).filter(isObject).map(toolText), texts: [], tokens: 0 }
}

/** Contents of the blocks of one message; a tool's result and a search result hold blocks again. */
interface Found {
  readonly texts: string[]
  readonly images: PromptImage[]
  files: number
}

function promptMessage(role: string, content: unknown): PromptMessage {
  const found: Found = { texts: [], images: [], files: 0 }
  if (typeof content === 'string') found.texts.push(content)
  else collect(content, found, maxLevels)
  const { texts, images, files } = found
  return {
    role,
    name: '',
    texts: texts.filter((text) => text !== ''),
    images,
    audioParts: 0,
    fileParts: files,
  }
}

const maxLevels = 4

function collect(content: unknown, found: Found, levels: number): void {
  if (levels === 0) return
  for (const item of listOf(content)) {
    const block = objectOf(item)
    if (block.type === 'image') found.images.push(imageOf(block))
    else if (block.type === 'document') collectDocument(block, found, levels)
    else collectTexts(block, found, levels)
  }
}

function collectTexts(block: JsonObject, found: Found, levels: number): void {
  const { name, input, content } = block
  found.texts.push(textOf(block.text), textOf(block.thinking), textOf(block.title), textOf(name))
  if (isObject(input)) found.texts.push(JSON.stringify(input))
  if (typeof content === 'string') found.texts.push(content)
  else collect(content, found, levels - 1)
}

function collectDocument(block: JsonObject, found: Found, levels: number): void {
  const { type, data, content } = objectOf(block.source)
  found.texts.push(textOf(block.title), textOf(block.context))
  if (type === 'text') found.texts.push(textOf(data))
  else if (type === 'content' && typeof content === 'string') found.texts.push(content)
  else if (type === 'content') collect(content, found, levels - 1)
  else found.files++
}

function imageOf(block: JsonObject): PromptImage {
  const { type, url, media_type, data } = objectOf(block.source)
  return {
    detail: '',
    url: type === 'base64' ? dataUrl({ mediaType: textOf(media_type), data: textOf(data) }) : textOf(url),
  }
}

function toolText(tool: JsonObject): string {
  const schema = tool.input_schema === undefined ? '' : JSON.stringify(tool.input_schema)
  return `${textOf(tool.name)}${textOf(tool.description)}${schema}`
}
