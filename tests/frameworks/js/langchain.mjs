import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { z } from 'zod'
import { baseOf, png, prompts, run, sum } from './driver.mjs'

const City = z.object({ city: z.string(), population: z.number().int() })
const getWeather = tool(async ({ city }) => `sunny in ${city}`, {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: z.object({ city: z.string() }),
})

function model(each, more = {}) {
  const { dialect, model: name, key } = each
  if (dialect === 'messages')
    return new ChatAnthropic({
      model: name,
      apiKey: key,
      anthropicApiUrl: baseOf(each),
      maxRetries: 0,
      maxTokens: 2048,
      ...more,
    })
  if (dialect === 'gemini')
    return new ChatGoogleGenerativeAI({
      model: name,
      apiKey: key,
      baseUrl: baseOf(each),
      maxRetries: 0,
      ...more,
    })
  return new ChatOpenAI({
    model: name,
    apiKey: key,
    configuration: { baseURL: baseOf(each) },
    maxRetries: 0,
    useResponsesApi: dialect === 'responses',
    ...more,
  })
}

const used = ({ usage_metadata: usage }) => [usage?.input_tokens, usage?.output_tokens]

async function plain(each) {
  const reply = await model(each).invoke(prompts.plain)
  return { text: reply.text, usage: used(reply) }
}

/**
 * Recognises upstreams whose counts it reads wrongly: of Messages it takes the prompt's count from the first event, which upstreams of
 * OpenAI's form do not count, and adds the output of Anthropic's first event to that of the last, which holds it.
 */
const countsAtStart = ({ dialect, upstream }) => dialect !== 'messages' || upstream === 'gemini'

async function stream(each) {
  let reply
  for await (const chunk of await model(each).stream(prompts.plain))
    reply = reply === undefined ? chunk : reply.concat(chunk)
  return { text: reply.text, ...(countsAtStart(each) && { usage: used(reply) }) }
}

async function tools(each) {
  const bound = model(each).bindTools([getWeather])
  const asked = new HumanMessage(prompts.weather)
  const first = await bound.invoke([asked])
  const results = await Promise.all(
    first.tool_calls.map(
      async ({ id, args, name }) =>
        new ToolMessage({ tool_call_id: id, name, content: `sunny in ${args.city}` }),
    ),
  )
  const last = await bound.invoke([asked, first, ...results])
  return { text: last.text, usage: sum(used(first), used(last)) }
}

async function schema(each) {
  const { parsed, raw } = await model(each)
    .withStructuredOutput(City, { includeRaw: true })
    .invoke(prompts.city)
  return { value: parsed, usage: used(raw) }
}

async function image(each) {
  const content = [
    { type: 'text', text: prompts.image },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  ]
  const reply = await model(each).invoke([new HumanMessage({ content })])
  return { text: reply.text, usage: used(reply) }
}

async function reasoning(each) {
  const more = {
    responses: { reasoning: { effort: 'low', summary: 'auto' } },
    messages: { thinking: { type: 'enabled', budget_tokens: 1024 } },
  }[each.dialect]
  if (more === undefined) return undefined
  const reply = await model(each, more).invoke(prompts.plain)
  const thoughts = reply.contentBlocks
    .filter(({ type }) => type === 'reasoning')
    .map(({ reasoning: text }) => text)
  return { text: reply.text, reasoning: thoughts.join(''), usage: used(reply) }
}

async function embeddings(each) {
  if (each.dialect === 'gemini') return undefined
  const embedder = new OpenAIEmbeddings({
    model: each.model,
    apiKey: each.key,
    configuration: { baseURL: baseOf(each) },
    maxRetries: 0,
  })
  return { value: (await embedder.embedDocuments(prompts.texts)).length }
}

await run(
  { plain, stream, tools, schema, image, reasoning, embeddings },
  {
    chat: ['RateLimitError', 'ContextOverflowError'],
    responses: ['RateLimitError', 'ContextOverflowError'],
    messages: ['RateLimitError', 'ContextOverflowError'],
    gemini: ['GoogleGenerativeAIFetchError:429', 'GoogleGenerativeAIFetchError:token count'],
  },
)
