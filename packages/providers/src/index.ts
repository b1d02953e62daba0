export * from './credential.ts'
export * from './model-options.ts'
export { modelVariant } from './model-variant.ts'
export { openAiCompatible, openAiFormats } from './openai-compatible.ts'
export * from './provider.ts'
export {
  cohereSafetyModes,
  type ProviderOptions,
  providerFor,
  providerLookup,
  providers,
} from './registry.ts'
export * from './task.ts'
