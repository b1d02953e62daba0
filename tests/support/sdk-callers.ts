import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

/** What a caller's own SDK made of an answer. */
export interface SdkAnswer {
  readonly text: string
  readonly toolCall: { readonly name: string; readonly arguments: unknown } | undefined
  /** In the words of the caller's format. */
  readonly stop: string
  /** The counts that the SDK shows, by the names of its format; zeros left out. */
  readonly usage: Readonly<Record<string, number>>
  /** The next turn: the answer as received back in the history, with the tool's result. */
  giveResult(result: string): Promise<SdkAnswer>
}

export interface SdkOptions {
  readonly gatewayUrl: string
  readonly key: string
}

export interface Ask {
  readonly model: string
  readonly stream: boolean
  readonly withTool: boolean
}

export type SdkAsk = (ask: Ask) => Promise<SdkAnswer>

const system = 'You are brief.'
const question = 'What is the weather in Zürich?'
const tool = { name: 'get_weather', description: 'Weather of a city' }
const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
}

export function openAiCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new OpenAI({ apiKey: key, baseURL: `${gatewayUrl}/v1`, maxRetries: 0 })
  return ({ model, stream, withTool }) => {
    const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { ...tool, parameters } }]
    async function turn(messages: readonly OpenAI.ChatCompletionMessageParam[]): Promise<SdkAnswer> {
      const body = { model, messages: [...messages], ...(withTool && { tools }) }
      const { choices, usage } = stream
        ? await client.chat.completions
            .stream({ ...body, stream: true, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(body)
      const [choice] = choices
      const message = choice?.message
      const call = message?.tool_calls?.[0]
      return {
        text: message?.content ?? '',
        toolCall:
          call?.type === 'function'
            ? { name: call.function.name, arguments: JSON.parse(call.function.arguments) }
            : undefined,
        stop: choice?.finish_reason ?? '',
        usage: counts({
          prompt_tokens: usage?.prompt_tokens,
          completion_tokens: usage?.completion_tokens,
          total_tokens: usage?.total_tokens,
          cached_tokens: usage?.prompt_tokens_details?.cached_tokens,
          reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens,
        }),
        giveResult: (content) =>
          turn([
            ...messages,
            ...(message === undefined ? [] : [message]),
            { role: 'tool', tool_call_id: call?.id ?? '', content },
          ]),
      }
    }
    return turn([
      { role: 'system', content: system },
      { role: 'user', content: question },
    ])
  }
}

export function responsesCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new OpenAI({ apiKey: key, baseURL: `${gatewayUrl}/v1`, maxRetries: 0 })
  return ({ model, stream, withTool }) => {
    const tools = [{ type: 'function' as const, ...tool, parameters, strict: false }]
    async function turn(input: OpenAI.Responses.ResponseInput): Promise<SdkAnswer> {
      const body = { model, instructions: system, input, ...(withTool && { tools }) }
      const { output, output_text, status, usage } = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      const items: readonly OutputItem[] = output
      const call = items.find(isFunctionCall)
      return {
        text: output_text,
        toolCall: call && { name: call.name, arguments: JSON.parse(call.arguments) },
        stop: status ?? '',
        usage: counts({
          input_tokens: usage?.input_tokens,
          output_tokens: usage?.output_tokens,
          total_tokens: usage?.total_tokens,
          cached_tokens: usage?.input_tokens_details.cached_tokens,
          reasoning_tokens: usage?.output_tokens_details.reasoning_tokens,
        }),
        giveResult: (result) => {
          const returned = output as OpenAI.Responses.ResponseInput
          const given = {
            type: 'function_call_output',
            call_id: call?.call_id ?? '',
            output: result,
          } as const
          return turn([...input, ...returned, given])
        },
      }
    }
    return turn([{ role: 'user', content: question }])
  }
}

type OutputItem = OpenAI.Responses.ResponseOutputItem

function isFunctionCall(item: OutputItem): item is OpenAI.Responses.ResponseFunctionToolCall {
  return item.type === 'function_call'
}

export function anthropicCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new Anthropic({ apiKey: key, baseURL: gatewayUrl, maxRetries: 0 })
  return ({ model, stream, withTool }) => {
    async function turn(messages: readonly Anthropic.MessageParam[]): Promise<SdkAnswer> {
      const body = {
        model,
        system,
        max_tokens: 1024,
        messages: [...messages],
        ...(withTool && { tools: [{ ...tool, input_schema: parameters }] }),
      }
      const { content, stop_reason, usage } = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body)
      const call = content.find((block) => block.type === 'tool_use')
      return {
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        toolCall: call && { name: call.name, arguments: call.input },
        stop: stop_reason ?? '',
        usage: counts({
          input_tokens: usage.input_tokens,
          cache_read_input_tokens: usage.cache_read_input_tokens,
          cache_creation_input_tokens: usage.cache_creation_input_tokens,
          output_tokens: usage.output_tokens,
        }),
        giveResult: (result) =>
          turn([
            ...messages,
            { role: 'assistant', content },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: result }],
            },
          ]),
      }
    }
    return turn([{ role: 'user', content: question }])
  }
}

export function geminiCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gatewayUrl, apiVersion: 'v1beta' } })
  return ({ model, stream, withTool }) => {
    const functionDeclarations = [{ ...tool, parametersJsonSchema: parameters }]
    const config = { systemInstruction: system, ...(withTool && { tools: [{ functionDeclarations }] }) }
    async function turn(contents: readonly Content[]): Promise<SdkAnswer> {
      const request = { model, contents: [...contents], config }
      const chunks = stream
        ? await Array.fromAsync(await client.models.generateContentStream(request))
        : [await client.models.generateContent(request)]
      const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      const call = parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall
      const last = chunks.at(-1)
      const usage = last?.usageMetadata
      return {
        text: parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
        toolCall: call && { name: call.name ?? '', arguments: call.args },
        stop: last?.candidates?.[0]?.finishReason ?? '',
        usage: counts({
          promptTokenCount: usage?.promptTokenCount,
          candidatesTokenCount: usage?.candidatesTokenCount,
          thoughtsTokenCount: usage?.thoughtsTokenCount,
          totalTokenCount: usage?.totalTokenCount,
          cachedContentTokenCount: usage?.cachedContentTokenCount,
        }),
        giveResult: (output) => {
          const response = {
            ...(call?.id !== undefined && { id: call.id }),
            name: call?.name ?? '',
            response: { output },
          }
          return turn([
            ...contents,
            { role: 'model', parts },
            { role: 'user', parts: [{ functionResponse: response }] },
          ])
        },
      }
    }
    return turn([{ role: 'user', parts: [{ text: question }] }])
  }
}

/** Without what is absent or zero. */
function counts(
  found: Readonly<Record<string, number | null | undefined>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, number] => Boolean(entry[1])),
  )
}
