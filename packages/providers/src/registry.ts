import { aigc2d } from './aigc2d/index.ts'
import { ails } from './ails/index.ts'
import { aiproxy } from './aiproxy/index.ts'
import { aiproxyLibrary } from './aiproxy-library/index.ts'
import { ali } from './ali/index.ts'
import { anthropic } from './anthropic/index.ts'
import { api2gpt } from './api2gpt/index.ts'
import { aws } from './aws/index.ts'
import { azure } from './azure/index.ts'
import { azureAiFoundry } from './azure-ai-foundry/index.ts'
import { baidu } from './baidu/index.ts'
import { cerebras } from './cerebras/index.ts'
import { cloudflare } from './cloudflare/index.ts'
import { type SafetyMode, safetyModes } from './cohere/chat/encode-request.ts'
import { cohere, createCohere } from './cohere/index.ts'
import { custom } from './custom/index.ts'
import { deepinfra } from './deepinfra/index.ts'
import { deepseek } from './deepseek/index.ts'
import { createDify, dify } from './dify/index.ts'
import { doubaoVideo } from './doubao-video/index.ts'
import { fastgpt } from './fastgpt/index.ts'
import { fireworks } from './fireworks/index.ts'
import { gemini } from './gemini/index.ts'
import { groq } from './groq/index.ts'
import { huggingface } from './huggingface/index.ts'
import { hyperbolic } from './hyperbolic/index.ts'
import { jimeng } from './jimeng/index.ts'
import { jina } from './jina/index.ts'
import { kling } from './kling/index.ts'
import { lingyi } from './lingyi/index.ts'
import { llamacpp } from './llamacpp/index.ts'
import { lmstudio } from './lmstudio/index.ts'
import { midjourney } from './midjourney/index.ts'
import { minimax } from './minimax/index.ts'
import { mistral } from './mistral/index.ts'
import { moka } from './moka/index.ts'
import { moonshot } from './moonshot/index.ts'
import { nebius } from './nebius/index.ts'
import { novita } from './novita/index.ts'
import { nvidia } from './nvidia/index.ts'
import { ohmygpt } from './ohmygpt/index.ts'
import { ollama } from './ollama/index.ts'
import { openai } from './openai/index.ts'
import { openaimax } from './openaimax/index.ts'
import { openrouter } from './openrouter/index.ts'
import { palm } from './palm/index.ts'
import { perplexity } from './perplexity/index.ts'
import type { Provider } from './provider.ts'
import { qianfan } from './qianfan/index.ts'
import { qihoo360 } from './qihoo360/index.ts'
import { replicate } from './replicate/index.ts'
import { sambanova } from './sambanova/index.ts'
import { sglang } from './sglang/index.ts'
import { siliconflow } from './siliconflow/index.ts'
import { sora } from './sora/index.ts'
import { suno } from './suno/index.ts'
import { tencent } from './tencent/index.ts'
import { together } from './together/index.ts'
import { vertex } from './vertex/index.ts'
import { vidu } from './vidu/index.ts'
import { vllm } from './vllm/index.ts'
import { volcengine } from './volcengine/index.ts'
import { voyage } from './voyage/index.ts'
import { xai } from './xai/index.ts'
import { xinference } from './xinference/index.ts'
import { xunfei } from './xunfei/index.ts'
import { zhipu } from './zhipu/index.ts'
import { zhipuV3 } from './zhipu-v3/index.ts'

/** Which provider serves a channel type of the console's catalogue. A new provider is one line here. */
const byChannelType: ReadonlyMap<number, Provider> = new Map([
  [1, openai],
  [2, midjourney],
  [3, azure],
  [4, ollama],
  [5, midjourney],
  [6, openaimax],
  [7, ohmygpt],
  [8, custom],
  [9, ails],
  [10, aiproxy],
  [11, palm],
  [12, api2gpt],
  [13, aigc2d],
  [14, anthropic],
  [15, baidu],
  [16, zhipuV3],
  [17, ali],
  [18, xunfei],
  [19, qihoo360],
  [20, openrouter],
  [21, aiproxyLibrary],
  [22, fastgpt],
  [23, tencent],
  [24, gemini],
  [25, moonshot],
  [26, zhipu],
  [27, perplexity],
  [31, lingyi],
  [33, aws],
  [34, cohere],
  [35, minimax],
  [36, suno],
  [37, dify],
  [38, jina],
  [39, cloudflare],
  [40, siliconflow],
  [41, vertex],
  [42, mistral],
  [43, deepseek],
  [44, moka],
  [45, volcengine],
  [46, qianfan],
  [47, xinference],
  [48, xai],
  [50, kling],
  [51, jimeng],
  [52, vidu],
  [54, doubaoVideo],
  [55, sora],
  [56, replicate],
  [1000, groq],
  [1001, together],
  [1002, fireworks],
  [1003, cerebras],
  [1004, nvidia],
  [1005, huggingface],
  [1006, vllm],
  [1007, lmstudio],
  [1008, azureAiFoundry],
  [1009, deepinfra],
  [1010, sambanova],
  [1011, novita],
  [1012, hyperbolic],
  [1013, nebius],
  [1014, llamacpp],
  [1015, sglang],
  [1016, voyage],
])

/** Each once, however many channel types it serves. */
export const providers: readonly Provider[] = [...new Set(byChannelType.values())]

/** `undefined` while no provider serves channels of the type. */
export function providerFor(channelTypeId: number): Provider | undefined {
  return byChannelType.get(channelTypeId)
}

/** Of Cohere. */
export const cohereSafetyModes = safetyModes

/** What an operator decides about providers, beside channels. */
export interface ProviderOptions {
  /** Applications at Dify tell what they do on their way to an answer. */
  readonly difyProgress: boolean
  readonly cohereSafety: SafetyMode
}

/** `providerFor` as the operator wants it. */
export function providerLookup({ difyProgress, cohereSafety }: ProviderOptions): typeof providerFor {
  const chosen = new Map([
    [dify, createDify(difyProgress)],
    [cohere, createCohere(cohereSafety)],
  ])
  return (channelTypeId) => {
    const provider = providerFor(channelTypeId)
    return provider && (chosen.get(provider) ?? provider)
  }
}
