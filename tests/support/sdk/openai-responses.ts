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

/** OpenAI's own SDK, Responses. */
export function responsesCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new OpenAI({ apiKey: key, baseURL: `${gatewayUrl}/v1`, maxRetries: 0 })
  return (ask) => {
    async function turn(input: OpenAI.Responses.ResponseInput): Promise<SdkReply> {
      const body = { ...bodyOf(ask), input }
      const { output, output_text, status, usage } = ask.stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      const items: readonly OutputItem[] = output
      const calls = items.filter((item) => item.type === 'function_call')
      return {
        text: output_text,
        reasoning: items.map(reasoningIn).join(''),
        toolCalls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) })),
        stop: status ?? '',
        usage: counts({
          input_tokens: usage?.input_tokens,
          output_tokens: usage?.output_tokens,
          total_tokens: usage?.total_tokens,
          cached_tokens: usage?.input_tokens_details.cached_tokens,
          reasoning_tokens: usage?.output_tokens_details.reasoning_tokens,
        }),
        giveResults: (...results) =>
          turn([
            ...input,
            ...(output as OpenAI.Responses.ResponseInput),
            ...inOrderOfCompletion(calls, results).map(([call, result]) => {
              return { type: 'function_call_output', call_id: call.call_id, output: result } as const
            }),
          ]),
      }
    }
    return turn([{ role: 'user', content: requested(ask) }])
  }
}

type OutputItem = OpenAI.Responses.ResponseOutputItem

function bodyOf({ model, withTool, wants }: Ask) {
  const tools = [{ type: 'function' as const, ...tool, parameters, strict: false }]
  const format = { type: 'json_schema' as const, name: 'weather', schema: responseSchema, strict: true }
  return {
    model,
    instructions: system,
    ...(withTool && { tools }),
    ...(wants === 'reasoning' && { reasoning: { effort: 'high', summary: 'auto' } as const }),
    ...(wants === 'schema' && { text: { format } }),
  }
}

function requested({ wants }: Ask): OpenAI.Responses.EasyInputMessage['content'] {
  if (wants !== 'image') return question
  const image_url = `data:${image.mediaType};base64,${image.base64}`
  return [
    { type: 'input_text', text: question },
    { type: 'input_image', image_url, detail: 'auto' },
  ]
}

function reasoningIn(item: OutputItem): string {
  return item.type === 'reasoning' ? item.summary.map(({ text }) => text).join('') : ''
}
