export * from './credential.ts'
export { openAiCompatible, openAiFormats } from './openai-compatible.ts'
export * from './provider.ts'
export { type ProviderOptions, providerFor, providerLookup, providers } from './registry.ts'
