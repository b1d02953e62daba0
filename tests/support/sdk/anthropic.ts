import Anthropic from '@anthropic-ai/sdk'
import {
  type Ask,
  counts,
  image,
  inOrderOfCompletion,
  maxTokens,
  parameters,
  question,
  responseSchema,
  type SdkAsk,
  type SdkOptions,
  type SdkReply,
  system,
  thinkingBudget,
  tool,
} from './ask.ts'

/** Anthropic's own SDK. */
export function anthropicCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new Anthropic({ apiKey: key, baseURL: gatewayUrl, maxRetries: 0 })
  return (ask) => {
    async function turn(messages: readonly Anthropic.MessageParam[]): Promise<SdkReply> {
      const body = { ...bodyOf(ask), messages: [...messages] }
      const { content, stop_reason, usage } = ask.stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body)
      const calls = content.filter((block) => block.type === 'tool_use')
      return {
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
        toolCalls: calls.map((call) => ({ name: call.name, arguments: call.input })),
        stop: stop_reason ?? '',
        usage: counts({
          input_tokens: usage.input_tokens,
          cache_read_input_tokens: usage.cache_read_input_tokens,
          cache_creation_input_tokens: usage.cache_creation_input_tokens,
          output_tokens: usage.output_tokens,
        }),
        giveResults: (...results) => {
          const provided = inOrderOfCompletion(calls, results).map(([call, result]) => {
            return { type: 'tool_result', tool_use_id: call.id, content: result } as const
          })
          return turn([...messages, { role: 'assistant', content }, { role: 'user', content: provided }])
        },
      }
    }
    return turn([{ role: 'user', content: requested(ask) }])
  }
}

function bodyOf({
  model,
  withTool,
  wants,
}: Ask): Omit<Anthropic.MessageCreateParamsNonStreaming, 'messages'> {
  return {
    model,
    system,
    max_tokens: maxTokens,
    ...(withTool && { tools: [{ ...tool, input_schema: parameters }] }),
    ...(wants === 'reasoning' && { thinking: { type: 'enabled', budget_tokens: thinkingBudget } }),
    ...(wants === 'schema' && { output_config: { format: { type: 'json_schema', schema: responseSchema } } }),
  }
}

function requested({ wants }: Ask): Anthropic.MessageParam['content'] {
  if (wants !== 'image') return question
  const { mediaType, base64 } = image
  return [
    { type: 'text', text: question },
    { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } },
  ]
}
