export { openApiDocument } from './document.ts'
export type * from './document-types.ts'
export type { StatusOf } from './responses.ts'
