import OpenAI from 'openai'
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

/** OpenAI's own SDK, Chat Completions. */
export function openAiCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new OpenAI({ apiKey: key, baseURL: `${gatewayUrl}/v1`, maxRetries: 0 })
  return (ask) => {
    async function turn(messages: readonly OpenAI.ChatCompletionMessageParam[]): Promise<SdkReply> {
      const body = { ...bodyOf(ask), messages: [...messages] }
      const { completion, reasoning } = ask.stream
        ? await streamed(client, body)
        : await buffered(client, body)
      const { choices, usage } = completion
      const [choice] = choices
      const message = choice?.message
      const calls = (message?.tool_calls ?? []).filter((call) => call.type === 'function')
      return {
        text: message?.content ?? '',
        reasoning,
        toolCalls: calls.map((call) => {
          return { name: call.function.name, arguments: JSON.parse(call.function.arguments) }
        }),
        stop: choice?.finish_reason ?? '',
        usage: counts({
          prompt_tokens: usage?.prompt_tokens,
          completion_tokens: usage?.completion_tokens,
          total_tokens: usage?.total_tokens,
          cached_tokens: usage?.prompt_tokens_details?.cached_tokens,
          reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens,
        }),
        giveResults: (...results) =>
          turn([
            ...messages,
            ...(message === undefined ? [] : [message]),
            ...inOrderOfCompletion(calls, results).map(([call, content]) => {
              return { role: 'tool', tool_call_id: call.id, content } as const
            }),
          ]),
      }
    }
    return turn([
      { role: 'system', content: system },
      { role: 'user', content: requested(ask) },
    ])
  }
}

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming

function bodyOf({ model, withTool, wants }: Ask): Omit<Body, 'messages'> {
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { ...tool, parameters } }]
  const json_schema = { name: 'weather', schema: responseSchema, strict: true }
  return {
    model,
    ...(withTool && { tools }),
    ...(wants === 'reasoning' && { reasoning_effort: 'high' }),
    ...(wants === 'schema' && { response_format: { type: 'json_schema', json_schema } }),
  }
}

function requested({ wants }: Ask): OpenAI.ChatCompletionUserMessageParam['content'] {
  if (wants !== 'image') return question
  return [
    { type: 'text', text: question },
    { type: 'image_url', image_url: { url: `data:${image.mediaType};base64,${image.base64}` } },
  ]
}

interface CompletionWithReasoning {
  readonly completion: OpenAI.ChatCompletion
  readonly reasoning: string
}

async function buffered(client: OpenAI, body: Body): Promise<CompletionWithReasoning> {
  const completion = await client.chat.completions.create(body)
  return { completion, reasoning: reasoningIn(completion.choices[0]?.message) }
}

async function streamed(client: OpenAI, body: Body): Promise<CompletionWithReasoning> {
  const options = { stream: true, stream_options: { include_usage: true } } as const
  let reasoning = ''
  const stream = client.chat.completions.stream({ ...body, ...options })
  stream.on('chunk', ({ choices }) => {
    reasoning += reasoningIn(choices[0]?.delta)
  })
  return { completion: await stream.finalChatCompletion(), reasoning }
}

/** A member that the SDK passes on without knowing it. */
function reasoningIn(message: object | undefined): string {
  const { reasoning_content: text } = (message ?? {}) as { reasoning_content?: string | null }
  return text ?? ''
}
