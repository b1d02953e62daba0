import { factsOf, type ModelCapability } from './model-facts.ts'

const listening = ['chat', 'tools', 'vision', 'audio'] as const satisfies readonly ModelCapability[]
const listeningThinking = [...listening, 'reasoning'] as const satisfies readonly ModelCapability[]

/** https://ai.google.dev/gemini-api/docs/models */
export const googleFacts = factsOf('Google', [
  [1_048_576, 65_536, listeningThinking, ['gemini-3.6-flash', 'gemini-3.5-flash', 'gemini-3.5-flash-lite']],
  [
    1_048_576,
    65_536,
    listeningThinking,
    ['gemini-3.1-pro-preview', 'gemini-3.1-flash-lite', 'gemini-3-flash-preview'],
  ],
  [1_048_576, 65_536, listeningThinking, ['gemini-3-pro-preview', 'gemini-2.5-pro', 'gemini-2.5-flash']],
  [1_048_576, 65_536, listeningThinking, ['gemini-2.5-flash-lite', 'gemini-2.5-pro-exp-03-25']],
  [1_048_576, 65_536, listeningThinking, ['gemini-2.5-pro-preview-03-25']],
  [1_048_576, 8192, listening, ['gemini-2.0-flash', 'gemini-2.0-flash-lite', 'gemini-1.5-flash']],
  [2_097_152, 8192, listening, ['gemini-1.5-pro']],
  [65_536, 32_768, ['chat', 'vision', 'image'], ['gemini-2.5-flash-image', 'gemini-3-pro-image']],
  [2048, undefined, ['embedding'], ['gemini-embedding-001', 'text-embedding-004']],
  [undefined, undefined, ['image'], ['imagen-4.0-generate-001', 'imagen-3.0-generate-002']],
])
