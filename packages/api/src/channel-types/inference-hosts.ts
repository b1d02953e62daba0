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
