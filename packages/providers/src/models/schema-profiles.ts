import { type SchemaProfile, schemaDialects } from '@tollgate/formats'

const { jsonSchema, objectTool, openAiTool, openAiOutput, openAiStrict } = schemaDialects
const { groqStrict, cerebrasStrict, xai, moonshot } = schemaDialects

/** OpenAI itself, its models at Azure, and gateways that sell them on. */
const openAi: SchemaProfile = {
  tools: openAiTool,
  strictTools: openAiStrict,
  output: openAiOutput,
  strictOutput: openAiStrict,
}

/** Servers that turn JSON Schema into a grammar themselves. */
const local: SchemaProfile = { tools: jsonSchema, output: jsonSchema }

/** Vendors that document no limits: a function takes an object, as at OpenAI, and `strict` goes as it comes. */
const compatible: SchemaProfile = { tools: objectTool, output: jsonSchema }

/**
 * How upstreams that speak OpenAI's formats read schemas, by the provider's id; the dialects hold sources and dates. Other
 * formats have one vendor each, whose codec knows it. DeepSeek gets the schema of a response as an instruction.
 */
const profiles: Readonly<Record<string, SchemaProfile>> = {
  openai: openAi,
  azure: openAi,
  openaimax: openAi,
  ohmygpt: openAi,
  ails: openAi,
  aiproxy: openAi,
  api2gpt: openAi,
  aigc2d: openAi,
  groq: { ...compatible, strictTools: groqStrict, strictOutput: groqStrict },
  cerebras: { ...compatible, strictTools: cerebrasStrict, strictOutput: cerebrasStrict },
  xai: { tools: xai, output: xai },
  moonshot: { tools: moonshot, output: moonshot },
  vllm: local,
  sglang: local,
  llamacpp: local,
  lmstudio: local,
  xinference: local,
  ollama: local,
}

/** How an upstream that speaks OpenAI's formats reads schemas. */
export function schemaProfileOf(provider: string): SchemaProfile {
  return Object.hasOwn(profiles, provider) ? (profiles[provider] ?? compatible) : compatible
}
