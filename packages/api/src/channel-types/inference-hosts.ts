import type { ChannelType } from './channel-type.ts'

/**
 * Hosts and servers of models, mostly open ones, beyond those that consoles of this kind have always had: ids from 1000.
 * What they serve changes by the week, so it is asked of them.
 */
export const inferenceHosts: readonly ChannelType[] = [
  host(1000, 'Groq', 'groq', 'https://api.groq.com/openai', 'gsk_...'),
  host(1001, 'Together AI', 'together', 'https://api.together.xyz', 'API key'),
  host(1002, 'Fireworks AI', 'fireworks', 'https://api.fireworks.ai/inference', 'fw_...'),
  host(1003, 'Cerebras', 'cerebras', 'https://api.cerebras.ai', 'csk-...'),
  host(1004, 'NVIDIA NIM', 'nvidia', 'https://integrate.api.nvidia.com', 'nvapi-...'),
  host(1005, 'Hugging Face', 'huggingface', 'https://router.huggingface.co', 'hf_...'),
  host(1006, 'vLLM', 'vllm', 'http://localhost:8000', 'API key, if the server asks for one'),
  host(1007, 'LM Studio', 'lmstudio', 'http://localhost:1234', 'API key, if the server asks for one'),
  {
    ...host(1008, 'Azure AI Foundry', 'azure-ai-foundry', '', 'API key of the resource'),
    otherHint: 'API version, for example 2024-05-01-preview',
  },
  host(1009, 'DeepInfra', 'deepinfra', 'https://api.deepinfra.com/v1/openai', 'API key'),
  host(1010, 'SambaNova', 'sambanova', 'https://api.sambanova.ai', 'API key'),
  host(1011, 'Novita AI', 'novita', 'https://api.novita.ai/v3/openai', 'sk_...'),
  host(1012, 'Hyperbolic', 'hyperbolic', 'https://api.hyperbolic.xyz', 'API key'),
  host(1013, 'Nebius', 'nebius', 'https://api.studio.nebius.ai', 'API key'),
  host(1014, 'llama.cpp', 'llamacpp', 'http://localhost:8080', 'API key, if the server asks for one'),
  host(1015, 'SGLang', 'sglang', 'http://localhost:30000', 'API key, if the server asks for one'),
  {
    ...host(1016, 'Voyage AI', 'voyage', 'https://api.voyageai.com', 'pa-...'),
    models: ['voyage-3.5', 'voyage-3.5-lite', 'voyage-code-3', 'rerank-2.5', 'rerank-2.5-lite'],
  },
]

function host(
  id: number,
  name: string,
  provider: string,
  defaultBaseUrl: string,
  keyHint: string,
): ChannelType {
  return { id, name, provider, defaultBaseUrl, keyHint, otherHint: '', models: [] }
}
