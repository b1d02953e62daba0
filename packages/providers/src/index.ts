export * from './credential.ts'
export { openAiCompatible, openAiFormats } from './openai-compatible.ts'
export * from './provider.ts'
export { providerFor, providers } from './registry.ts'
