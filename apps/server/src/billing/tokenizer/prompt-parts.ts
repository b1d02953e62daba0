import type { Prompt, PromptMessage } from '@tollgate/formats'
import { imageTokens, roughImageTokens } from './image-tokens.ts'
import { roughTokens } from './rough-tokens.ts'

/** What of a prompt must be counted, and what is known without. */
export interface PromptParts {
  readonly texts: readonly string[]
  readonly fixed: number
}

const audioTokens = 100
const fileTokens = 5000
const toolTokens = 8
/** Every answer is opened with the assistant's role. */
const replyTokens = 3

const usualFrame = { message: 3, name: 1 } as const
const firstFrame = { message: 4, name: -1 } as const

/** Frame of a message and of a name in it, in tokens; the first chat model had its own. */
function frameOf(model: string): { readonly message: number; readonly name: number } {
  return model === 'gpt-3.5-turbo-0301' ? firstFrame : usualFrame
}

/** https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken */
export function promptParts(model: string, prompt: Prompt): PromptParts {
  const frame = frameOf(model)
  const texts: string[] = [...prompt.texts, ...prompt.tools]
  let fixed =
    prompt.tokens + prompt.tools.length * toolTokens + (prompt.messages.length > 0 ? replyTokens : 0)
  for (const message of prompt.messages) {
    fixed += frame.message + mediaTokens(message)
    for (const image of message.images) fixed += imageTokens(model, image)
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
  let tokens = prompt.tokens + (prompt.messages.length > 0 ? replyTokens : 0)
  for (const text of prompt.texts) tokens += roughTokens(text)
  for (const tool of prompt.tools) tokens += toolTokens + roughTokens(tool)
  for (const message of prompt.messages) {
    tokens += frame.message + roughTokens(message.role) + mediaTokens(message)
    if (message.name !== '') tokens += 1 + roughTokens(message.name)
    for (const text of message.texts) tokens += roughTokens(text)
    for (const image of message.images) tokens += roughImageTokens(model, image)
  }
  return tokens
}

function mediaTokens({ audioParts, fileParts }: PromptMessage): number {
  return audioParts * audioTokens + fileParts * fileTokens
}

function isEmpty({ texts, images, audioParts, fileParts }: PromptMessage): boolean {
  return texts.length === 0 && images.length === 0 && audioParts === 0 && fileParts === 0
}
