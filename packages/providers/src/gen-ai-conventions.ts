import type { CallMode } from './provider.ts'

/*
 * Names of the semantic conventions for generative AI, in development as of November 2026:
 * https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/client-inference.md
 */

/** Well-known names of providers where they differ from ours. */
const providerNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  'azure-ai-foundry': 'azure.ai.inference',
  aws: 'aws.bedrock',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  moonshot: 'moonshot_ai',
}

/** Returns the name of a provider by the conventions for traces. */
export function genAiProviderName(id: string): string {
  return providerNames[id] ?? id
}

const operationNames: Partial<Record<CallMode, string>> = {
  completions: 'text_completion',
}

/** Returns the name of a mode of calls by the conventions for traces; modes without one keep ours. */
export function genAiOperationName(mode: CallMode): string {
  return operationNames[mode] ?? mode
}
