import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { png, prompts, run } from './driver.mjs'

const City = z.object({ city: z.string(), population: z.number().int() })
const getWeather = createTool({
  id: 'get_weather',
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async (input) => `sunny in ${(input.context ?? input).city}`,
})

function model({ dialect, model: name, url, key }) {
  if (dialect === 'messages') return createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(name)
  if (dialect === 'gemini') return createGoogleGenerativeAI({ apiKey: key, baseURL: `${url}/v1beta` })(name)
  const openai = createOpenAI({ apiKey: key, baseURL: `${url}/v1` })
  return dialect === 'responses' ? openai.responses(name) : openai.chat(name)
}

function agent(each, more = {}) {
  return new Agent({
    id: 'house',
    name: 'house',
    instructions: 'Be brief.',
    model: model(each),
    maxRetries: 0,
    ...more,
  })
}

const options = { modelSettings: { maxRetries: 0, maxOutputTokens: 2048 } }

async function ask(each, prompt, { settings = {}, ...more } = {}) {
  const reply = await agent(each, more).generate(prompt, { ...options, ...settings })
  if (reply.error) throw reply.error
  return reply
}

const used = ({ totalUsage, usage }) => {
  const { inputTokens, outputTokens } = totalUsage ?? usage
  return [inputTokens, outputTokens]
}
const said = (reply) => ({ text: reply.text, usage: used(reply) })

const plain = async (each) => said(await ask(each, prompts.plain))

async function stream(each) {
  const reply = await agent(each).stream(prompts.plain, options)
  let text = ''
  for await (const piece of reply.textStream) text += piece
  const { inputTokens, outputTokens } = await reply.totalUsage
  return { text, usage: [inputTokens, outputTokens] }
}

const tools = async (each) => said(await ask(each, prompts.weather, { tools: { get_weather: getWeather } }))

async function schema(each) {
  const reply = await ask(each, prompts.city, { settings: { structuredOutput: { schema: City } } })
  return { value: reply.object, usage: used(reply) }
}

async function image(each) {
  const content = [
    { type: 'text', text: prompts.image },
    { type: 'image', image: `data:image/png;base64,${png}`, mimeType: 'image/png' },
  ]
  return said(await ask(each, [{ role: 'user', content }]))
}

async function reasoning(each) {
  const providerOptions = {
    responses: { openai: { reasoningEffort: 'low', reasoningSummary: 'auto' } },
    messages: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    gemini: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } } },
  }[each.dialect]
  if (providerOptions === undefined) return undefined
  const reply = await ask(each, prompts.plain, { settings: { providerOptions } })
  return { ...said(reply), reasoning: reply.reasoningText }
}

await run(
  { plain, stream, tools, schema, image, reasoning },
  {
    chat: ['AI_APICallError:429', 'AI_APICallError:context_length_exceeded'],
    responses: ['AI_APICallError:429', 'AI_APICallError:context_length_exceeded'],
    messages: ['AI_APICallError:429', 'AI_APICallError:prompt is too long'],
    gemini: ['AI_APICallError:429', 'AI_APICallError:token count'],
  },
)
