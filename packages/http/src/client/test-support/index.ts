export { errorOf } from './error-of.ts'
export * from './scripted-server.ts'
