import type { Prompt, PromptMessage } from '@tollgate/formats'
import {
  type ImageRule,
  imageRuleOf,
  imageTokens,
  roughImageTokens,
  unseenImageTokens,
} from './image-tokens.ts'

/** Texts of a prompt that must be counted, and the tokens that are known without. */
export interface PromptParts {
  readonly texts: readonly string[]
  readonly fixed: number
}

const audioTokens = 100
const fileTokens = 5000
/** Images whose headers are read: more than any vendor takes. The rest is counted by the usual size. */
const maxImagesRead = 500

/** Tokens that a family adds to those of the texts. */
interface ChatFrame {
  readonly message: number
  readonly name: number
  readonly tool: number
  /** Opening of the answer. */
  readonly reply: number
}

/** https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken */
const defaultFrame: ChatFrame = { message: 3, name: 1, tool: 8, reply: 3 }
const firstFrame: ChatFrame = { ...defaultFrame, message: 4, name: -1 }
const claudeFrame: ChatFrame = { message: 2, name: 1, tool: 3, reply: 0 }

function frameOf(model: string): ChatFrame {
  if (model.includes('claude')) return claudeFrame
  return model === 'gpt-3.5-turbo-0301' ? firstFrame : defaultFrame
}

export function promptParts(model: string, prompt: Prompt): PromptParts {
  const frame = frameOf(model)
  let rule: ImageRule | undefined
  const texts: string[] = [...prompt.texts, ...prompt.tools]
  let fixed = prompt.tokens + prompt.tools.length * frame.tool + replyTokens(frame, prompt)
  let images = 0
  for (const message of prompt.messages) {
    fixed += frame.message + mediaTokens(message)
    for (const image of message.images) {
      rule ??= imageRuleOf(model)
      fixed += images < maxImagesRead ? imageTokens(rule, image) : unseenImageTokens(rule, image)
      images += 1
    }
    texts.push(message.role, ...message.texts)
    if (message.name === '' || isEmpty(message)) continue
    fixed += frame.name
    texts.push(message.name)
  }
  return { texts, fixed }
}

/** Upper estimate of the whole prompt, at once. */
export function roughPromptTokens(model: string, prompt: Prompt): number {
  const frame = frameOf(model)
  let rule: ImageRule | undefined
  let tokens = prompt.tokens + replyTokens(frame, prompt)
  for (const text of prompt.texts) tokens += roughTokens(text)
  for (const tool of prompt.tools) tokens += frame.tool + roughTokens(tool)
  for (const message of prompt.messages) {
    tokens += frame.message + roughTokens(message.role) + mediaTokens(message)
    if (message.name !== '') tokens += 1 + roughTokens(message.name)
    if (message.textBytes !== undefined) tokens += roughTokensOfBytes(message.textBytes)
    else for (const text of message.texts) tokens += roughTokens(text)
    for (const image of message.images) {
      rule ??= imageRuleOf(model)
      tokens += roughImageTokens(rule, image)
    }
  }
  return tokens
}

function replyTokens(frame: ChatFrame, { messages }: Prompt): number {
  return messages.length > 0 ? frame.reply : 0
}

function mediaTokens({ audioParts, fileParts }: PromptMessage): number {
  return audioParts * audioTokens + fileParts * fileTokens
}

function isEmpty({ texts, images, audioParts, fileParts }: PromptMessage): boolean {
  return texts.length === 0 && images.length === 0 && audioParts === 0 && fileParts === 0
}

/** A token stands for three bytes or more in nearly every text: ordinary English has four to five, Chinese three. */
const bytesPerToken = 3

/** Upper estimate of a text's tokens, at once and without a tokenizer, for reservations. */
export function roughTokens(text: string): number {
  return roughTokensOfBytes(Buffer.byteLength(text))
}

function roughTokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}
