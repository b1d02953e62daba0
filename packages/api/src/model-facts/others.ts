import { factsOf, seeing, seeingThinking, text, thinking } from './model-facts.ts'

/** Makers of few models each, from the model pages of their documentation. */
export const otherFacts = [
  // https://api-docs.deepseek.com/quick_start/pricing
  ...factsOf('DeepSeek', [
    [1_048_576, 393_216, thinking, ['deepseek-v4-pro', 'deepseek-v4-flash']],
    [128_000, 8192, text, ['deepseek-chat', 'deepseek-v3', 'deepseek-v3.2']],
    [128_000, 65_536, thinking, ['deepseek-reasoner']],
    [65_536, 32_768, ['chat', 'reasoning'], ['deepseek-r1']],
  ]),
  // https://docs.x.ai/docs/models
  ...factsOf('xAI', [
    [500_000, undefined, seeingThinking, ['grok-4.5']],
    [1_000_000, undefined, seeingThinking, ['grok-4.3']],
    [2_000_000, undefined, seeingThinking, ['grok-4-fast-reasoning', 'grok-4-1-fast-reasoning']],
    [2_000_000, undefined, seeing, ['grok-4-fast-non-reasoning', 'grok-4-1-fast-non-reasoning']],
    [256_000, undefined, seeingThinking, ['grok-4', 'grok-4-0709']],
    [256_000, undefined, thinking, ['grok-code-fast-1']],
    [
      131_072,
      undefined,
      text,
      ['grok-3', 'grok-3-beta', 'grok-3-fast', 'grok-3-fast-beta', 'grok-2', 'grok-beta'],
    ],
    [
      131_072,
      undefined,
      thinking,
      ['grok-3-mini', 'grok-3-mini-beta', 'grok-3-mini-fast', 'grok-3-mini-fast-beta'],
    ],
    [32_768, undefined, seeing, ['grok-2-vision']],
    [undefined, undefined, ['image'], ['grok-2-image']],
  ]),
  // https://docs.mistral.ai/getting-started/models/models_overview/
  ...factsOf('Mistral AI', [
    [256_000, undefined, seeing, ['mistral-large-2512', 'mistral-large']],
    [
      128_000,
      undefined,
      seeing,
      ['mistral-small-2506', 'mistral-medium-2508', 'pixtral-large', 'pixtral-12b'],
    ],
    [256_000, undefined, text, ['codestral', 'codestral-2508']],
    [32_768, undefined, text, ['open-mistral-7b', 'open-mixtral-8x7b']],
    [65_536, undefined, text, ['open-mixtral-8x22b']],
    [128_000, undefined, text, ['open-mistral-nemo', 'ministral-8b', 'ministral-3b']],
    [8192, undefined, ['embedding'], ['mistral-embed', 'codestral-embed']],
  ]),
  // https://docs.cohere.com/docs/models
  ...factsOf('Cohere', [
    [256_000, 8000, text, ['command-a-03-2025']],
    [256_000, 32_000, thinking, ['command-a-reasoning-08-2025']],
    [128_000, 8000, ['chat', 'vision'], ['command-a-vision-07-2025']],
    [128_000, 4000, text, ['command-r7b-12-2024', 'command-r-08-2024', 'command-r-plus-08-2024']],
    [128_000, 4000, text, ['command-r', 'command-r-plus']],
    [4096, 4000, ['chat'], ['command', 'command-light']],
    [128_000, undefined, ['embedding', 'vision'], ['embed-v4.0']],
    [512, undefined, ['embedding'], ['embed-multilingual-v3.0', 'embed-english-v3.0']],
    [4096, undefined, ['rerank'], ['rerank-v3.5', 'rerank-multilingual-v3.0', 'rerank-english-v3.0']],
  ]),
  // https://help.aliyun.com/zh/model-studio/models
  ...factsOf('Alibaba', [
    [1_000_000, 32_768, thinking, ['qwen-plus']],
    [1_000_000, 16_384, thinking, ['qwen-turbo']],
    [32_768, 8192, text, ['qwen-max']],
    [10_000_000, 32_768, ['chat'], ['qwen-long']],
    [131_072, 8192, seeing, ['qwen-vl-max', 'qwen-vl-plus']],
    [262_144, 65_536, text, ['qwen3-coder-480b-a35b-instruct']],
  ]),
  // https://docs.z.ai/guides/overview/overview
  ...factsOf('Zhipu', [
    [128_000, 4096, text, ['glm-4', 'glm-4-plus', 'glm-4-air', 'glm-4-flash', 'glm-4-0520']],
    [1_000_000, 4096, text, ['glm-4-long']],
    [200_000, 128_000, thinking, ['glm-4.6', 'glm-4.7']],
    [128_000, 96_000, thinking, ['glm-4.5', 'glm-4.5-air']],
    [64_000, 16_384, seeingThinking, ['glm-4.5v']],
  ]),
  // https://platform.moonshot.ai/docs/pricing/chat
  ...factsOf('Moonshot AI', [
    [8192, undefined, text, ['moonshot-v1-8k']],
    [32_768, undefined, text, ['moonshot-v1-32k']],
    [131_072, undefined, text, ['moonshot-v1-128k']],
    [262_144, undefined, thinking, ['kimi-k2-thinking']],
  ]),
  // https://www.llama.com/docs/model-cards-and-prompt-formats/
  ...factsOf('Meta', [
    [10_000_000, undefined, seeing, ['llama-4-scout-17b-16e-instruct']],
    [1_000_000, undefined, seeing, ['llama-4-maverick-17b-128e-instruct']],
    [
      131_072,
      undefined,
      text,
      ['llama-3.3-70b-instruct', 'llama-3.1-8b-instruct', 'llama-3.1-405b-instruct'],
    ],
  ]),
]
