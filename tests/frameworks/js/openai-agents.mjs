import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { baseOf, png, prompts, run } from './driver.mjs'

setTracingDisabled(true)
const City = z.object({ city: z.string(), population: z.number().int() })
const getWeather = tool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})

function agent(each, more = {}) {
  const client = new OpenAI({ apiKey: each.key, baseURL: baseOf(each), maxRetries: 0 })
  const Kind = each.dialect === 'responses' ? OpenAIResponsesModel : OpenAIChatCompletionsModel
  return new Agent({ name: 'house', instructions: 'Be brief.', model: new Kind(client, each.model), ...more })
}

const runner = new Runner({ tracingDisabled: true })
const used = ({ state }) => [state.usage.inputTokens, state.usage.outputTokens]
const said = (result) => ({ text: result.finalOutput, usage: used(result) })

const plain = async (each) => said(await runner.run(agent(each), prompts.plain))

async function stream(each) {
  const result = await runner.run(agent(each), prompts.plain, { stream: true })
  let text = ''
  for await (const piece of result.toTextStream()) text += piece
  await result.completed
  return { text, usage: used(result) }
}

const tools = async (each) => said(await runner.run(agent(each, { tools: [getWeather] }), prompts.weather))

async function schema(each) {
  const result = await runner.run(agent(each, { outputType: City }), prompts.city)
  return { value: result.finalOutput, usage: used(result) }
}

async function image(each) {
  const content = [
    { type: 'input_text', text: prompts.image },
    { type: 'input_image', image: `data:image/png;base64,${png}` },
  ]
  return said(await runner.run(agent(each), [{ role: 'user', content }]))
}

async function reasoning(each) {
  if (each.dialect === 'chat') return undefined
  const modelSettings = { reasoning: { effort: 'low', summary: 'auto' } }
  const result = await runner.run(agent(each, { modelSettings }), prompts.plain)
  const items = result.rawResponses.flatMap(({ output }) => output).filter(({ type }) => type === 'reasoning')
  const parts = items.flatMap(({ content = [], rawContent = [] }) =>
    content.length > 0 ? content : rawContent,
  )
  return { ...said(result), reasoning: parts.map(({ text }) => text).join('') }
}

await run(
  { plain, stream, tools, schema, image, reasoning },
  {
    chat: ['RateLimitError', 'BadRequestError:context_length_exceeded'],
    responses: ['RateLimitError', 'BadRequestError:context_length_exceeded'],
  },
)
