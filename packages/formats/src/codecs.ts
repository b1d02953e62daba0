import { anthropicMessages } from './anthropic-messages/codec.ts'
import type { ChatCodec } from './canonical/codec.ts'
import type { FormatName } from './canonical/request.ts'
import { gemini } from './gemini/codec.ts'
import { openAiChat } from './openai-chat/codec.ts'
import { openAiResponses } from './openai-responses/codec.ts'

/** Every format of chat that can be converted to and from: one line each. */
export const chatCodecs = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
} as const satisfies { readonly [Format in FormatName]?: ChatCodec }
