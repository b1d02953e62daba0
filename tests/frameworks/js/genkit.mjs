import { anthropic } from '@genkit-ai/anthropic'
import { openAI } from '@genkit-ai/compat-oai/openai'
import { googleAI } from '@genkit-ai/google-genai'
import { genkit, z } from 'genkit'
import { baseOf, png, prompts, run } from './driver.mjs'

const City = z.object({ city: z.string(), population: z.number().int() })
const houses = new Map()

/** One for each gateway and key. */
function houseOf(each) {
  const { dialect, key, url } = each
  const id = `${dialect} ${key} ${url}`
  if (!houses.has(id)) houses.set(id, open(each))
  return houses.get(id)
}

function open(each) {
  const { dialect, key } = each
  const baseURL = baseOf(each)
  const plugin = {
    chat: () => openAI({ apiKey: key, baseURL, maxRetries: 0 }),
    messages: () => anthropic({ apiKey: key }),
    gemini: () => googleAI({ apiKey: key, baseUrl: baseURL }),
  }[dialect]
  // The plugin has no option for it; its SDK reads it when it is made.
  if (dialect === 'messages') process.env.ANTHROPIC_BASE_URL = baseURL
  const ai = genkit({ plugins: [plugin()] })
  const tool = ai.defineTool(
    {
      name: 'get_weather',
      description: 'The weather in a city.',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.string(),
    },
    async ({ city }) => `sunny in ${city}`,
  )
  return { ai, tool }
}

function model({ dialect, model: name }) {
  return {
    chat: () => openAI.model(name),
    messages: () => anthropic.model(name),
    gemini: () => googleAI.model(name),
  }[dialect]()
}

async function ask(each, prompt, more = {}) {
  return houseOf(each).ai.generate({ model: model(each), prompt, ...more })
}

const used = ({ usage }) => [usage.inputTokens, usage.outputTokens + (usage.thoughtsTokens ?? 0)]
const said = (reply) => ({ text: reply.text, usage: used(reply) })

const plain = async (each) => said(await ask(each, prompts.plain))

async function stream(each) {
  const { stream: pieces, response } = houseOf(each).ai.generateStream({
    model: model(each),
    prompt: prompts.plain,
  })
  let text = ''
  for await (const piece of pieces) text += piece.text
  return { text, usage: used(await response) }
}

/** Its plugin of Claude does not send back reasoning without text, as Claude's own is where it is not shown. */
const losesReasoning = ({ dialect, upstream }) => dialect === 'messages' && upstream === 'gemini'

async function tools(each) {
  if (losesReasoning(each)) return undefined
  const reply = await ask(each, prompts.weather, { tools: [houseOf(each).tool] })
  return { text: reply.text }
}

async function schema(each) {
  // "Only text output format is supported for Claude models currently"
  if (each.dialect === 'messages') return undefined
  const reply = await ask(each, prompts.city, { output: { schema: City } })
  return { value: reply.output, usage: used(reply) }
}

async function image(each) {
  const media = { url: `data:image/png;base64,${png}`, contentType: 'image/png' }
  return said(await ask(each, [{ text: prompts.image }, { media }]))
}

async function reasoning(each) {
  const config = {
    messages: { thinking: { enabled: true, budgetTokens: 1024 }, maxOutputTokens: 2048 },
    gemini: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } },
  }[each.dialect]
  if (config === undefined) return undefined
  const reply = await ask(each, prompts.plain, { config })
  return { ...said(reply), reasoning: reply.reasoning }
}

await run(
  { plain, stream, tools, schema, image, reasoning },
  {
    chat: ['GenkitError:RESOURCE_EXHAUSTED', 'GenkitError:INVALID_ARGUMENT'],
    messages: ['GenkitError:RESOURCE_EXHAUSTED', 'GenkitError:INVALID_ARGUMENT'],
    gemini: ['GenkitError:RESOURCE_EXHAUSTED', 'GenkitError:INVALID_ARGUMENT'],
  },
)
