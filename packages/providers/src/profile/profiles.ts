import { providerTable } from '../table.ts'
import { ali } from './rows/ali.ts'
import { aiproxyLibrary, dify, fastgpt, jina, noChat, voyage } from './rows/applications.ts'
import { cerebras } from './rows/cerebras.ts'
import { baidu, lingyi, minimax, qianfan, tencent, xunfei } from './rows/chinese.ts'
import { anthropic, aws, cohere } from './rows/clouds.ts'
import { deepseek } from './rows/deepseek.ts'
import { gemini, palm, vertex } from './rows/google.ts'
import { groq } from './rows/groq.ts'
import { deepinfra, fireworks, huggingface, nebius, novita, together } from './rows/hosts.ts'
import { azure, azureAiFoundry } from './rows/microsoft.ts'
import { mistral } from './rows/mistral.ts'
import { moonshot } from './rows/moonshot.ts'
import { aigc2d, ails, aiproxy, api2gpt, custom, ohmygpt, openai, openaimax } from './rows/openai.ts'
import { cloudflare, openrouter, perplexity, qihoo360, sambanova } from './rows/routers.ts'
import { llamacpp, lmstudio, nvidia, ollama, sglang, vllm, xinference } from './rows/servers.ts'
import { siliconflow } from './rows/siliconflow.ts'
import { undocumented } from './rows/undocumented.ts'
import { volcengine } from './rows/volcengine.ts'
import { xai } from './rows/xai.ts'
import { zhipu, zhipuV3 } from './rows/zhipu.ts'
import type { ProfileEntry, ProviderProfile } from './target-profile.ts'

const nothingKnown: ProviderProfile = { ...undocumented, fields: 'unknown', ids: 'unknown' }

/** Profiles of a size that a file has room for. */
export const ownProfiles: Readonly<Record<string, ProfileEntry>> = {
  aigc2d,
  ails,
  aiproxy,
  'aiproxy-library': aiproxyLibrary,
  ali,
  anthropic,
  api2gpt,
  aws,
  azure,
  'azure-ai-foundry': azureAiFoundry,
  baidu,
  cerebras,
  cloudflare,
  cohere,
  custom,
  deepinfra,
  deepseek,
  dify,
  'doubao-video': noChat,
  fastgpt,
  fireworks,
  gemini,
  groq,
  huggingface,
  jimeng: noChat,
  jina,
  kling: noChat,
  lingyi,
  llamacpp,
  lmstudio,
  midjourney: noChat,
  minimax,
  mistral,
  moka: noChat,
  moonshot,
  nebius,
  novita,
  nvidia,
  ohmygpt,
  ollama,
  openai,
  openaimax,
  openrouter,
  palm,
  perplexity,
  qianfan,
  qihoo360,
  replicate: noChat,
  sambanova,
  sglang,
  siliconflow,
  sora: noChat,
  suno: noChat,
  tencent,
  together,
  vertex,
  vidu: noChat,
  vllm,
  volcengine,
  voyage,
  xai,
  xinference,
  xunfei,
  zhipu,
  'zhipu-v3': zhipuV3,
}

/** Profiles of every provider of the table, by its id: that of its row, else one of its own, else one of which nothing is known. */
export const profiles: Readonly<Record<string, ProfileEntry>> = {
  ...Object.fromEntries(providerTable.map(({ id, profile }) => [id, { ...nothingKnown, ...profile }])),
  ...ownProfiles,
}
