/** Models that channels usually serve, with blanks between their names; lists that do not fit into a row of the table. */

/** The vendor's own, and those of its resellers and clouds. */
export const openAiModels = `
  gpt-6-astra gpt-6.1-sol gpt-6.1-terra gpt-6-sol gpt-6-luna gpt-5.6-sol gpt-5.6 gpt-5.6-terra gpt-5.6-luna
  gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-pro gpt-5.3-codex gpt-5.2 gpt-5.2-pro gpt-5.1 gpt-5
  gpt-5-mini gpt-5-nano gpt-5-pro o3 o3-pro o4-mini o3-mini o3-mini-2025-01-31 o3-mini-high o3-mini-medium
  o3-mini-low o1 o1-2024-12-17 o1-preview o1-preview-2024-09-12 o1-mini o1-mini-2024-09-12 o1-pro gpt-4.1
  gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-2024-05-13 gpt-4o-2024-08-06 gpt-4o-2024-11-20 gpt-4o-mini
  gpt-4o-mini-2024-07-18 chatgpt-4o-latest gpt-4.5-preview gpt-4.5-preview-2025-02-27 gpt-4o-audio-preview
  gpt-4o-realtime-preview gpt-4o-mini-realtime-preview gpt-4-turbo gpt-4-turbo-2024-04-09
  gpt-4-turbo-preview gpt-4-1106-preview gpt-4-0125-preview gpt-4-vision-preview gpt-4 gpt-4-0613 gpt-4-32k
  gpt-4-32k-0613 gpt-3.5-turbo gpt-3.5-turbo-0125 gpt-3.5-turbo-1106 gpt-3.5-turbo-0613 gpt-3.5-turbo-16k
  gpt-3.5-turbo-16k-0613 gpt-3.5-turbo-instruct davinci-002 babbage-002 text-embedding-3-small
  text-embedding-3-large text-embedding-ada-002 omni-moderation-latest text-moderation-latest
  text-moderation-stable gpt-image-2 gpt-image-2.5-sunburst gpt-image-2.5-flare gpt-image-1.5
  gpt-image-1-mini gpt-image-1 dall-e-3 dall-e-2 whisper-1 gpt-live-transcribe gpt-4o-transcribe
  gpt-4o-mini-transcribe gpt-4o-transcribe-diarize tts-1 tts-1-1106 tts-1-hd tts-1-hd-1106 gpt-4o-mini-tts
  gpt-realtime gpt-audio
`

export const claudeModels = `
  claude-opus-5 claude-sonnet-5-5 claude-sonnet-5 claude-fable-5 claude-opus-4-8 claude-opus-4-7
  claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-5-20251101 claude-opus-4-5 claude-haiku-4-5-20251001
  claude-haiku-4-5 claude-sonnet-4-5-20250929 claude-sonnet-4-5 claude-opus-4-1-20250805
  claude-opus-4-20250514 claude-sonnet-4-20250514 claude-3-7-sonnet-20250219
  claude-3-7-sonnet-20250219-thinking claude-3-5-haiku-20241022 claude-3-5-sonnet-20241022
  claude-3-5-sonnet-20240620 claude-3-opus-20240229 claude-3-sonnet-20240229 claude-3-haiku-20240307
`

export const geminiModels = `
  gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash gemini-3.5-flash-lite
  gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-3-pro-image gemini-3.1-flash-image gemini-pro-latest
  gemini-flash-latest gemini-flash-lite-latest gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite
  gemini-2.5-flash-image gemini-2.5-pro-exp-03-25 gemini-2.5-pro-preview-03-25 gemini-2.0-flash
  gemini-2.0-flash-lite gemini-1.5-pro-latest gemini-1.5-flash-latest gemini-embedding-001
  gemini-embedding-2 text-embedding-004 gemini-3.1-flash-tts-preview imagen-4.0-generate-001
  imagen-3.0-generate-002
`

export const midjourneyPlusModels = `
  mj_imagine mj_variation mj_reroll mj_blend mj_upscale mj_describe mj_upload swap_face mj_zoom mj_shorten
  mj_modal mj_inpaint mj_custom_zoom mj_high_variation mj_low_variation mj_pan
`

export const baiduModels = `
  ERNIE-4.0-8K ERNIE-3.5-8K ERNIE-3.5-8K-0205 ERNIE-3.5-8K-1222 ERNIE-Bot-8K ERNIE-3.5-4K-0205
  ERNIE-Speed-8K ERNIE-Speed-128K ERNIE-Lite-8K-0922 ERNIE-Lite-8K-0308 ERNIE-Tiny-8K BLOOMZ-7B Embedding-V1
  bge-large-zh bge-large-en tao-8k
`

export const aliModels = `
  qwen-turbo qwen-plus qwen-max qwen-max-longcontext qwen-long qwen-coder-plus qwen-vl-max qwen-vl-plus
  deepseek-v3 deepseek-r1 text-embedding-v1 text-embedding-v2 text-embedding-v3 text-embedding-v4
  gte-rerank-v2 wanx-v1 wanx2.1-t2i-turbo wan2.6-t2v wan2.6-i2v wan2.5-t2v-preview wan2.5-i2v-preview
  wan2.2-kf2v-flash
`

export const qihoo360Models = `
  360gpt-turbo 360gpt-turbo-responsibility-8k 360gpt-pro 360gpt2-pro 360GPT_S2_V9 embedding-bert-512-v1
  embedding_s1_v1 semantic_similarity_s1_v1
`

export const tencentModels = `
  hunyuan hunyuan-lite hunyuan-standard hunyuan-standard-256K hunyuan-pro hunyuan-turbo
  hunyuan-turbos-latest hunyuan-t1-latest hunyuan-vision hunyuan-functioncall hunyuan-embedding
`

export const zhipuModels = `
  glm-4 glm-4v glm-3-turbo glm-4-alltools glm-4-plus glm-4-0520 glm-4-air glm-4-airx glm-4-long glm-4-flash
  glm-4v-plus cogview-3 cogview-3-plus embedding-2 embedding-3
`

export const perplexityModels = `
  sonar sonar-pro sonar-reasoning-pro sonar-deep-research llama-3-sonar-small-32k-chat
  llama-3-sonar-small-32k-online llama-3-sonar-large-32k-chat llama-3-sonar-large-32k-online
`

export const lingyiModels = `
  yi-large yi-medium yi-vision yi-medium-200k yi-spark yi-large-rag yi-large-turbo yi-large-preview
  yi-large-rag-preview yi-34b-chat-0205 yi-34b-chat-200k yi-vl-plus
`

export const cohereModels = `
  command-a-03-2025 command-a-reasoning-08-2025 command-a-vision-07-2025 command-r7b-12-2024
  command-r-08-2024 command-r-plus-08-2024 command-r command-r-plus command command-nightly command-light
  command-light-nightly c4ai-aya-23-35b embed-v4.0 embed-multilingual-v3.0 embed-english-v3.0
  rerank-v4.0-pro rerank-v4.0-fast rerank-v3.5 rerank-multilingual-v3.0 rerank-english-v3.0
`

export const minimaxModels = `
  MiniMax-M2 MiniMax-M1 MiniMax-Text-01 MiniMax-VL-01 abab6.5-chat abab6.5s-chat abab6-chat abab5.5-chat
  abab5.5s-chat speech-2.8-hd speech-2.6-hd speech-02-hd speech-02-turbo speech-01-turbo image-01
  MiniMax-Hailuo-02 MiniMax-Hailuo-2.3 MiniMax-Hailuo-2.3-Fast
`

export const jinaModels = `
  jina-embeddings-v4 jina-embeddings-v3 jina-clip-v2 jina-clip-v1 jina-reranker-v3 jina-reranker-m0
  jina-reranker-v2-base-multilingual
`

export const cloudflareModels = `
  @cf/openai/gpt-oss-120b @cf/openai/gpt-oss-20b @cf/meta/llama-4-scout-17b-16e-instruct
  @cf/meta/llama-3.3-70b-instruct-fp8-fast @cf/meta/llama-3.1-8b-instruct @cf/google/gemma-3-12b-it
  @cf/mistralai/mistral-small-3.1-24b-instruct @cf/qwen/qwq-32b @cf/qwen/qwen2.5-coder-32b-instruct
  @cf/deepseek-ai/deepseek-r1-distill-qwen-32b @cf/baai/bge-m3 @cf/baai/bge-large-en-v1.5
  @cf/openai/whisper-large-v3-turbo
`

export const siliconflowModels = `
  deepseek-ai/DeepSeek-V3.2 deepseek-ai/DeepSeek-R1 Qwen/Qwen3-235B-A22B-Instruct-2507 Qwen/Qwen3-32B
  Qwen/Qwen3-8B moonshotai/Kimi-K2-Instruct-0905 zai-org/GLM-4.6 THUDM/glm-4-9b-chat
  Qwen/Qwen2.5-72B-Instruct Qwen/Qwen2-72B-Instruct deepseek-ai/DeepSeek-V2-Chat BAAI/bge-m3
  BAAI/bge-large-zh-v1.5 Qwen/Qwen3-Embedding-8B BAAI/bge-reranker-v2-m3 Qwen/Qwen3-Reranker-8B
  Kwai-Kolors/Kolors Qwen/Qwen-Image FunAudioLLM/SenseVoiceSmall FunAudioLLM/CosyVoice2-0.5B
`

export const vertexModels = `
  veo-3.1-generate-001 veo-3.1-fast-generate-001 meta/llama-4-maverick-17b-128e-instruct-maas
  meta/llama-4-scout-17b-16e-instruct-maas deepseek-ai/deepseek-v3.2-maas
  qwen/qwen3-coder-480b-a35b-instruct-maas openai/gpt-oss-120b-maas moonshotai/kimi-k2-thinking-maas
  meta/llama3-405b-instruct-maas
`

export const mistralModels = `
  mistral-large-latest mistral-large-2512 mistral-medium-latest mistral-medium-3.5 mistral-small-latest
  mistral-small-2603 magistral-medium-latest magistral-small-latest ministral-14b-latest ministral-8b-latest
  ministral-3b-latest codestral-latest devstral-medium-latest pixtral-large-latest open-mistral-7b
  open-mixtral-8x7b mistral-embed codestral-embed-2505 mistral-moderation-latest voxtral-mini-latest
`

export const volcengineModels = `
  Doubao-pro-128k Doubao-pro-32k Doubao-pro-4k Doubao-lite-128k Doubao-lite-32k Doubao-lite-4k
  Doubao-embedding doubao-seedance-1-0-pro-250528
`

export const qianfanModels = `
  ernie-4.0-8k-latest ernie-4.0-8k-preview ernie-4.0-8k ernie-4.0-turbo-8k-latest ernie-4.0-turbo-8k-preview
  ernie-4.0-turbo-8k ernie-4.0-turbo-128k ernie-3.5-8k-preview ernie-3.5-8k ernie-3.5-128k ernie-speed-8k
  ernie-speed-128k ernie-speed-pro-128k ernie-lite-8k ernie-lite-pro-128k ernie-tiny-8k ernie-char-8k
  ernie-char-fiction-8k ernie-novel-8k deepseek-v3 deepseek-r1 deepseek-r1-distill-qwen-32b
  deepseek-r1-distill-qwen-14b
`

export const xaiModels = `
  grok-4.6 grok-4.5 grok-4.3 grok-4.20-reasoning grok-4.20-non-reasoning grok-latest grok-4 grok-4-0709
  grok-4-fast-reasoning grok-4-fast-non-reasoning grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning
  grok-code-fast-1 grok-3 grok-3-beta grok-3-fast grok-3-fast-beta grok-3-mini grok-3-mini-beta
  grok-3-mini-fast grok-3-mini-fast-beta grok-2-vision grok-2 grok-2-image grok-imagine-image
`

export const klingModels = `
  kling-v3 kling-v2-6 kling-v2-5-turbo kling-v2-1-master kling-v2-1 kling-v2-master kling-v1-6 kling-v1
`

export const doubaoVideoModels = `
  doubao-seedance-2-0-260128 doubao-seedance-1-5-pro-251215 doubao-seedance-1-0-pro-250528
  doubao-seedance-1-0-lite-t2v-250428 doubao-seedance-1-0-lite-i2v-250428
`

export const replicateModels = `
  google/veo-3.1 google/veo-3.1-fast kwaivgi/kling-v2.5-turbo-pro minimax/hailuo-2.3
  bytedance/seedance-1-pro wan-video/wan-2.5-t2v wan-video/wan-2.5-i2v
`
