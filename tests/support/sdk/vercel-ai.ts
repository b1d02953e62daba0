import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, Output, streamText } from 'ai'
import {
  type Ask,
  counts,
  image,
  inOrderOfCompletion,
  parameters,
  question,
  responseSchema,
  type SdkAsk,
  type SdkOptions,
  type SdkReply,
  system,
  tool,
} from './ask.ts'

type ModelOf = (name: string) => LanguageModel

// It writes a line for every model whose name it does not know.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/**
 * Options against its own guesses about models: it goes by their names, and here each dialect calls each vendor's. Sends complete
 * responses with every turn, as unstored responses require.
 */
const providerOptions = {
  openai: { store: false, forceReasoning: true, reasoningSummary: 'auto' },
  anthropic: { structuredOutputMode: 'outputFormat' },
}
const showReasoning = { google: { thinkingConfig: { includeThoughts: true } } }

/** Vercel's SDK, by the dialect that its provider speaks. */
export const vercelCallers = {
  openai: ({ gatewayUrl, key }: SdkOptions) =>
    callerOver(createOpenAI({ apiKey: key, baseURL: `${gatewayUrl}/v1` }).chat),
  responses: ({ gatewayUrl, key }: SdkOptions) =>
    callerOver(createOpenAI({ apiKey: key, baseURL: `${gatewayUrl}/v1` }).responses),
  anthropic: ({ gatewayUrl, key }: SdkOptions) =>
    callerOver(createAnthropic({ apiKey: key, baseURL: `${gatewayUrl}/v1` })),
  gemini: ({ gatewayUrl, key }: SdkOptions) =>
    callerOver(createGoogle({ apiKey: key, baseURL: `${gatewayUrl}/v1beta` })),
} as const

function callerOver(modelOf: ModelOf): SdkAsk {
  return (ask) => {
    async function turn(messages: readonly ModelMessage[]): Promise<SdkReply> {
      const {
        text,
        reasoningText = '',
        toolCalls,
        finishReason,
        usage,
        responseMessages,
      } = await generated(modelOf, ask, messages)
      return {
        text,
        reasoning: reasoningText,
        toolCalls: toolCalls.map(({ toolName, input }) => ({ name: toolName, arguments: input })),
        stop: finishReason,
        usage: counts({
          input: usage.inputTokenDetails.noCacheTokens,
          cacheRead: usage.inputTokenDetails.cacheReadTokens,
          cacheWrite: usage.inputTokenDetails.cacheWriteTokens,
          output: usage.outputTokens,
          reasoning: usage.outputTokenDetails.reasoningTokens,
        }),
        giveResults: (...results) => {
          const content = inOrderOfCompletion(toolCalls, results).map(([{ toolCallId, toolName }, value]) => {
            return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } } as const
          })
          return turn([...messages, ...responseMessages, { role: 'tool', content }])
        },
      }
    }
    return turn([{ role: 'user', content: requested(ask) }])
  }
}

async function generated(modelOf: ModelOf, ask: Ask, messages: readonly ModelMessage[]) {
  const { withTool, wants } = ask
  const options = {
    model: modelOf(ask.model),
    instructions: system,
    messages: [...messages],
    maxRetries: 0,
    providerOptions: { ...providerOptions, ...(wants === 'reasoning' && showReasoning) },
    ...(withTool && {
      tools: { [tool.name]: { description: tool.description, inputSchema: jsonSchema(parameters) } },
    }),
    ...(wants === 'reasoning' && { reasoning: 'high' as const }),
    ...(wants === 'schema' && { output: Output.object({ schema: jsonSchema(responseSchema) }) }),
  }
  return ask.stream ? streamed(options) : await generateText(options)
}

/** Reads a stream, and throws the error that breaks it: the SDK hands it to a listener. */
async function streamed(options: Parameters<typeof streamText>[0]) {
  const failures: unknown[] = []
  const result = streamText({ ...options, onError: ({ error }) => void failures.push(error) })
  await result.consumeStream()
  if (failures.length > 0) throw failures[0]
  return {
    text: await result.text,
    reasoningText: await result.reasoningText,
    toolCalls: await result.toolCalls,
    finishReason: await result.finishReason,
    usage: await result.usage,
    responseMessages: (await result.response).messages,
  }
}

function requested({ wants }: Ask): Extract<ModelMessage, { role: 'user' }>['content'] {
  if (wants !== 'image') return question
  return [
    { type: 'text', text: question },
    { type: 'image', image: image.base64, mediaType: image.mediaType },
  ]
}
