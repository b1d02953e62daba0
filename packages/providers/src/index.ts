export * from './credential.ts'
export * from './provider.ts'
export { providerFor, providers } from './registry.ts'
