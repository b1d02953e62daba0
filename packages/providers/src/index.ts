export * from './credential.ts'
export * from './provider.ts'
export { providerFor, providers } from './registry.ts'
export { openAiCompatible, openAiFormats } from './openai-compatible.ts'
