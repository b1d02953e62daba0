import type { ProviderShape } from './define-provider.ts'
import { openAiCompatible } from './openai/openai-compatible.ts'
import { chatPlans, fieldPlans, type PlanLookup } from './profile/plans.ts'
import { profileOf } from './profile/profile-of.ts'
import { takesStreamOptions } from './profile/takes-field.ts'
import type { Operation, Provider, RelayMode } from './provider.ts'
import { type ProviderOptions, standardOptions } from './provider-options.ts'
import type { ProviderRow } from './provider-row.ts'
import { providerTable } from './table.ts'
import { aiproxy } from './vendors/aiproxy/index.ts'
import { aiproxyLibrary } from './vendors/aiproxy-library/index.ts'
import { ali } from './vendors/ali/index.ts'
import { anthropic } from './vendors/anthropic/index.ts'
import { aws } from './vendors/aws/index.ts'
import { azure } from './vendors/azure/index.ts'
import { azureAiFoundry } from './vendors/azure-ai-foundry/index.ts'
import { baidu } from './vendors/baidu/index.ts'
import { cloudflare } from './vendors/cloudflare/index.ts'
import { cohere } from './vendors/cohere/index.ts'
import { custom } from './vendors/custom/index.ts'
import { deepseek } from './vendors/deepseek/index.ts'
import { dify } from './vendors/dify/index.ts'
import { doubaoVideo } from './vendors/doubao-video/index.ts'
import { fastgpt } from './vendors/fastgpt/index.ts'
import { gemini } from './vendors/gemini/index.ts'
import { jimeng } from './vendors/jimeng/index.ts'
import { kling } from './vendors/kling/index.ts'
import { midjourney } from './vendors/midjourney/index.ts'
import { minimax } from './vendors/minimax/index.ts'
import { mistral } from './vendors/mistral/index.ts'
import { moka } from './vendors/moka/index.ts'
import { ollama } from './vendors/ollama/index.ts'
import { openai } from './vendors/openai/index.ts'
import { openrouter } from './vendors/openrouter/index.ts'
import { palm } from './vendors/palm/index.ts'
import { qianfan } from './vendors/qianfan/index.ts'
import { replicate } from './vendors/replicate/index.ts'
import { siliconflow } from './vendors/siliconflow/index.ts'
import { sora } from './vendors/sora/index.ts'
import { suno } from './vendors/suno/index.ts'
import { tencent } from './vendors/tencent/index.ts'
import { vertex } from './vendors/vertex/index.ts'
import { vidu } from './vendors/vidu/index.ts'
import { volcengine } from './vendors/volcengine/index.ts'
import { xunfei } from './vendors/xunfei/index.ts'
import { zhipu } from './vendors/zhipu/index.ts'
import { zhipuV3 } from './vendors/zhipu-v3/index.ts'

/** Providers of a shape of their own, by their id in the table; a function where the operator decides something. */
const vendors: Readonly<Record<string, ProviderShape | ((options: ProviderOptions) => ProviderShape)>> = {
  aiproxy,
  'aiproxy-library': aiproxyLibrary,
  ali,
  anthropic,
  aws,
  azure,
  'azure-ai-foundry': azureAiFoundry,
  baidu,
  cloudflare,
  cohere,
  custom,
  deepseek,
  dify,
  'doubao-video': doubaoVideo,
  fastgpt,
  gemini,
  jimeng,
  kling,
  midjourney,
  minimax,
  mistral,
  moka,
  ollama,
  openai,
  openrouter,
  palm,
  qianfan,
  replicate,
  siliconflow,
  sora,
  suno,
  tencent,
  vertex,
  vidu,
  volcengine,
  xunfei,
  zhipu,
  'zhipu-v3': zhipuV3,
}

/** Finds the provider of a channel type; `undefined` for a number outside of the table. */
export type ProviderLookup = (channelType: number) => Provider | undefined

/** The lookup of providers as the operator wants them. */
export function providerLookup(options: ProviderOptions): ProviderLookup {
  const byId = new Map<string, Provider>()
  for (const row of providerTable) if (!byId.has(row.id)) byId.set(row.id, providerOf(row, options))
  const byType = new Map(providerTable.map(({ type, id }) => [type, byId.get(id)]))
  return (channelType) => byType.get(channelType)
}

function providerOf(row: ProviderRow, options: ProviderOptions): Provider {
  const { id, baseUrl: defaultBaseUrl } = row
  const vendor = vendors[id]
  const shape = typeof vendor === 'function' ? vendor(options) : (vendor ?? rowShape(row))
  const profiled = profiler(row)
  const { operation, counting } = shape
  return {
    id,
    defaultBaseUrl,
    ...shape,
    operation: (mode, ...choice) => profiled(mode, operation(mode, ...choice)),
    // What is counted is what would be sent.
    ...(counting !== undefined && { counting: (target) => profiled('chat', counting(target)) }),
  }
}

type Profiler = (mode: RelayMode, operation: Operation | undefined) => Operation | undefined

/** Gives the operations of a provider the plans by which bodies are fitted to its models. */
function profiler({ id, name }: ProviderRow): Profiler {
  const entry = profileOf(id)
  const takesOptions = takesStreamOptions(entry)
  const lookups: { readonly [Mode in RelayMode]?: PlanLookup } = {
    chat: chatPlans(entry, name),
    completions: fieldPlans(entry.modes?.completions?.value, name),
    embeddings: fieldPlans(entry.modes?.embeddings?.value, name),
  }
  const profiled = new WeakMap<Operation, Operation>()
  return (mode, operation) => {
    const lookup = lookups[mode]
    if (operation === undefined || lookup === undefined) return operation
    const known = profiled.get(operation)
    if (known !== undefined) return known
    const made = {
      ...operation,
      streamOptions: operation.streamOptions && takesOptions,
      planFor: (model: string) => lookup(operation.format, model),
    }
    profiled.set(operation, made)
    return made
  }
}

function rowShape(row: ProviderRow): ProviderShape {
  const { serves, ...form } = row
  if (serves === undefined) throw new TypeError(`${row.id} has neither a form in its row nor a folder`)
  return openAiCompatible({ ...form, serves })
}

/** The lookup where the operator has decided nothing. */
export const providerFor: ProviderLookup = providerLookup(standardOptions)

/** Each provider once, however many channel types it serves. */
export const providers: readonly Provider[] = [
  ...new Set(providerTable.flatMap(({ type }) => providerFor(type) ?? [])),
]
